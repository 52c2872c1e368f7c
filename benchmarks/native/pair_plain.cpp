// The program as it is without us.
#include "pair_loop.hpp"

int main() {
  return time_pairs();
}
