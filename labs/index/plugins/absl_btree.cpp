// absl::btree_map, with 15 records of 8+8 bytes in a node of 256 bytes. With several threads the
// keys are cut into ranges with a lock each (range_shards.hpp).
#include <assay/index/plugins/common/map_in_memory.hpp>

#include <absl/container/btree_map.h>

namespace {

template <class Key, class Value>
using BtreeMap = absl::btree_map<Key, Value>;

}  // namespace

extern "C" tree_api* create_tree(const tree_options_t& options) {
  return assay::index::create_map_in_memory<BtreeMap>("absl_btree", options);
}
