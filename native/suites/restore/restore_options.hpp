// Purpose: what the restore suite is asked for: the options of its own, beside the library's.
//
//   const Result<RestoreOptions> options = parse_restore_options(arguments);
//
// Thread safety: values. Cost: none.
#pragma once

#include <assay/base/result.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace assay::restore {

/// Which of the benchmarks' sizes are there at all; --benchmark_filter chooses among them.
enum class Largest : std::uint8_t { usual, hundred_million };

struct RestoreOptions {
  Largest largest{Largest::usual};
  std::uint64_t seed{1729};
  std::string csv_path{};      // empty: none
  std::string listing_path{};  // empty: none
};

/// Takes --restore_* out of the arguments; the others are left for the library.
Result<RestoreOptions> take_restore_options(std::vector<std::string>& arguments);

}  // namespace assay::restore
