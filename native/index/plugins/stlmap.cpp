// std::map, as PiBench's stlmap is; with several threads cut into key ranges with a lock each
// (range_shards.hpp) where PiBench's has one lock around everything.
#include <assay/index/plugins/common/map_in_memory.hpp>

#include <map>

namespace {

template <class Key, class Value>
using StlMap = std::map<Key, Value>;

}  // namespace

extern "C" tree_api* create_tree(const tree_options_t& options) {
  return assay::index::create_map_in_memory<StlMap>("stlmap", options);
}
