// A program without an allocator of its own.
#include "say_status.hpp"

int main() {
  return say_status();
}
