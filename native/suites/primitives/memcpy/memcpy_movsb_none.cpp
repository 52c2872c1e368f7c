#include <assay/suites/primitives/memcpy/memcpy_group.hpp>

namespace assay::suites {

void add_rep_movsb(Group&) {}

}  // namespace assay::suites
