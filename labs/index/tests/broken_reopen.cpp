// Broken on purpose: does not open what it has left.
#include "log_map.hpp"

extern "C" tree_api* create_tree(const tree_options_t& options) {
  const bool is_new = access(options.pool_path.c_str(), F_OK) != 0;
  return is_new ? new LogMap(options) : nullptr;
}
