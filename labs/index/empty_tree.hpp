// Purpose: an index that does nothing: what driving it costs is the driver's own cost.
//
//   const auto tree = assay::index::make_empty_tree();
//
// Thread safety: any thread. Cost: a virtual call that returns true.
#pragma once

#include <assay/index/tree_api.hpp>

#include <memory>

namespace assay::index {

/// Makes the tree. Defined in a source file of its own, so that the compiler cannot inline it into
/// the driver's loop.
std::unique_ptr<tree_api> make_empty_tree();

}  // namespace assay::index
