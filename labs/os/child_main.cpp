// The tiny program that exec cases start: leaves at once.
int main() {
  return 0;
}
