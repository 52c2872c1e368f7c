// A shared library that is no plug-in.
extern "C" int not_create_tree() {
  return 1;
}
