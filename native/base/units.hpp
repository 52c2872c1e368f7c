// Purpose: factors between units of time and of memory, so that nobody has to count zeros.
//
//   const double seconds = static_cast<double>(elapsed_ns) / assay::ns_per_s;
//
// The suffix of a name says its unit (_ns, _bytes). Errors: none. Thread safety: constants.
// Cost: none.
#pragma once

#include <cstdint>

namespace assay {

inline constexpr std::int64_t ns_per_us = 1'000;
inline constexpr std::int64_t ns_per_ms = 1'000'000;
inline constexpr std::int64_t ns_per_s = 1'000'000'000;

inline constexpr std::int64_t bytes_per_kib = std::int64_t{1} << 10U;
inline constexpr std::int64_t bytes_per_mib = std::int64_t{1} << 20U;
inline constexpr std::int64_t bytes_per_gib = std::int64_t{1} << 30U;

}  // namespace assay
