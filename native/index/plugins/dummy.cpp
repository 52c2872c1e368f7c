// A plug-in that does nothing and says that it worked: what is left is the driver's own cost.
// The same index as the one the driver measures itself on, behind a library's interface.
#include <assay/index/empty_tree.hpp>

extern "C" tree_api* create_tree(const tree_options_t& /*options*/) {
  return assay::index::make_empty_tree().release();
}
