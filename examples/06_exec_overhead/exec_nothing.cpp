// The least a program can do: what is left is the price of starting it.
int main() {
  return 0;
}
