// A program that is not linked with Assay, whose allocations are known beforehand.
//
//   known_allocations [_exit|fork|exec|threads]
//
// It makes 100 mallocs of 1000 bytes and 10 reallocs to 2000, and frees 90 of the blocks; then it
// makes and deletes 7 objects by operator new. With `threads` a second thread does it all again.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <thread>

namespace {

template <class Pointer>
Pointer kept(Pointer pointer) {
  asm volatile("" : "+r"(pointer) : : "memory");
  return pointer;
}

void allocate() {
  void* blocks[100];
  for (void*& block : blocks) block = kept(std::malloc(1000));
  for (int i = 0; i < 10; ++i) blocks[i] = kept(std::realloc(blocks[i], 2000));
  for (int i = 0; i < 90; ++i) std::free(blocks[i]);
  for (int i = 0; i < 7; ++i) delete kept(new int);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view end = argc > 1 ? argv[1] : "";
  allocate();
  if (end == "threads") {
    std::thread other(allocate);
    other.join();
  }
  if (end == "_exit") _exit(0);
  if (end == "exec") execv(argv[0], argv + 1);
  if (end != "fork") return 0;
  const pid_t child = fork();
  if (child == 0) std::free(kept(std::malloc(50)));
  return child == 0 ? 0 : waitpid(child, nullptr, 0) != child;
}
