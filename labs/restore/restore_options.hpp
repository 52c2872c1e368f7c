// Purpose: the options of the restore suite, besides those of Google Benchmark.
//
//   const Result<RestoreOptions> options = take_restore_options(arguments);
//
// Thread safety: values. Cost: none.
#pragma once

#include <assay/base/result.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace assay::restore {

/// The size up to which benchmarks are registered; --benchmark_filter selects among those.
enum class Largest : std::uint8_t { usual, hundred_million };

struct RestoreOptions {
  Largest largest{Largest::usual};
  std::uint64_t seed{1729};
  std::string csv_path{};      // empty: none
  std::string listing_path{};  // empty: none
};

/// Takes --restore_* out of the arguments; the others are left for Google Benchmark.
Result<RestoreOptions> take_restore_options(std::vector<std::string>& arguments);

}  // namespace assay::restore
