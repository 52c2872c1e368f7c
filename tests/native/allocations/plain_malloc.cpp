// A program that uses the allocator it finds.
#include "say_status.hpp"

int main() {
  return say_status();
}
