// Purpose: a function that does nothing, where the compiler cannot see that it does.
//
//   keep(nothing());
//
// Thread safety: any thread. Cost: a call and a return.
#pragma once

namespace assay::os {

[[nodiscard]] int nothing();

}  // namespace assay::os
