#include <assay/os/harness/case_list.hpp>

namespace assay::os {

// Declares the function of each case: CMake writes a line ASSAY_CASE(strlen) for each file in
// cases/.
#define ASSAY_CASE(name) Case name##_case();
#include "os_cases.inc"
#undef ASSAY_CASE

std::vector<Case> all_cases() {
  return {
#define ASSAY_CASE(name) name##_case(),
#include "os_cases.inc"
#undef ASSAY_CASE
  };
}

std::optional<Case> find_case(std::string_view name) {
  for (Case& one : all_cases()) {
    if (one.name == name) return std::move(one);
  }
  return std::nullopt;
}

}  // namespace assay::os
