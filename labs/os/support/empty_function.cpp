#include <assay/os/support/empty_function.hpp>

namespace assay::os {

int empty_function() {
  return 1;
}

}  // namespace assay::os
