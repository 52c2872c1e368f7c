#include <assay/primitives/memcpy/memcpy_group.hpp>

namespace assay::primitives {

void add_rep_movsb(Group&) {}

}  // namespace assay::primitives
