// A plug-in that does nothing and returns success, so that a run measures the driver's own cost. It
// is the same empty tree by which the driver measures its cost, but in a library, as plug-ins are.
#include <assay/index/empty_tree.hpp>

extern "C" tree_api* create_tree(const tree_options_t& /*options*/) {
  return assay::index::make_empty_tree().release();
}
