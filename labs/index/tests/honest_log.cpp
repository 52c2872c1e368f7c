// Not broken: the durability check must find nothing wrong with it.
#include "log_map.hpp"

extern "C" tree_api* create_tree(const tree_options_t& options) {
  return new LogMap(options);
}
