#include <assay/os/nothing.hpp>

namespace assay::os {

int nothing() {
  return 1;
}

}  // namespace assay::os
