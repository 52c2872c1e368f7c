// Not broken: what the durability check must not complain of.
#include "log_map.hpp"

extern "C" tree_api* create_tree(const tree_options_t& options) {
  return new LogMap(options);
}
