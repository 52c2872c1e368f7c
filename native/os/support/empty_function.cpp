#include <assay/os/support/empty_function.hpp>

namespace assay::os {

int nothing() {
  return 1;
}

}  // namespace assay::os
