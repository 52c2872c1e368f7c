// Purpose: all cases, in order of their names; there is one for each file of labs/os/cases.
//
//   const std::optional<Case> found = find_case("strlen");  // nothing: there is none
//
// Thread safety: any thread. Cost: the list is made anew by each call; before measuring.
#pragma once

#include <assay/os/harness/case.hpp>

#include <optional>
#include <string_view>
#include <vector>

namespace assay::os {

std::vector<Case> all_cases();
std::optional<Case> find_case(std::string_view name);

}  // namespace assay::os
