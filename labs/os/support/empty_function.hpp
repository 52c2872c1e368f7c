// Purpose: a function that does nothing, where the compiler cannot see that it does.
//
//   do_not_optimize(empty_function());
//
// Thread safety: any thread. Cost: a call and a return.
#pragma once

namespace assay::os {

[[nodiscard]] int empty_function();

}  // namespace assay::os
