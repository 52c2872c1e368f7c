// The program as it is without us.
#include "pair_loop.hpp"

int main(int argc, char** argv) {
  return time_pairs(threads_in(argc, argv));
}
