// std::map, as in PiBench's stlmap. With several threads the keys are cut into ranges with a lock
// each (range_shards.hpp); PiBench's has one lock around everything.
#include <assay/index/plugins/common/map_in_memory.hpp>

#include <map>

namespace {

template <class Key, class Value>
using StlMap = std::map<Key, Value>;

}  // namespace

extern "C" tree_api* create_tree(const tree_options_t& options) {
  return assay::index::create_map_in_memory<StlMap>("stlmap", options);
}
