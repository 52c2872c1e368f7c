// Purpose: the names of options' values, as the command line takes them and results show them.
//
//   const std::string_view name = name_of(Distribution::zipfian);  // "zipfian"
//
// Thread safety: constants. Cost: none.
#pragma once

#include <assay/index/options/options.hpp>

#include <string_view>

namespace assay::index {

std::string_view name_of(Distribution distribution);
std::string_view name_of(KeyOrder order);
std::string_view name_of(Spread spread);
std::string_view name_of(Mode mode);
std::string_view name_of(Arrival arrival);
std::string_view name_of(Report report);

}  // namespace assay::index
