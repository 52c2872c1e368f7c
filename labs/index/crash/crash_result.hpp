// Purpose: the results of all trials (kills) of a durability check.
//
//   CrashResult result;
//   result.add(run_trial(plan, seed, signals));
//   return result.exit_code(Promise::acknowledged);
//
// Thread safety: a value. Cost: none.
#pragma once

#include <assay/index/crash/trial.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace assay::index::crash {

struct FindingsCount {
  const char* name;
  std::uint64_t Findings::*count;
};

inline constexpr std::array findings_counts = {
    FindingsCount{"acknowledged", &Findings::acknowledged},
    FindingsCount{"refused", &Findings::refused},
    FindingsCount{"in_flight", &Findings::in_flight},
    FindingsCount{"happened", &Findings::happened},
    FindingsCount{"gone", &Findings::gone},
    FindingsCount{"stale", &Findings::stale},
    FindingsCount{"resurrected", &Findings::resurrected},
    FindingsCount{"torn", &Findings::torn},
    FindingsCount{"never_written", &Findings::never_written},
    FindingsCount{"scan_differs", &Findings::scan_differs},
    FindingsCount{"unusable", &Findings::unusable},
};

struct CrashResult {
  std::vector<Findings> verified{};
  std::vector<std::string> messages{};  // such as "kill 3: ..."
  std::uint32_t not_verified{0};
  std::uint32_t not_run{0};
  int interrupted_by{0};  // signal; 0: none

  void add(const TrialResult& trial);

  [[nodiscard]] std::size_t kills() const { return verified.size() + not_verified; }
  [[nodiscard]] std::uint64_t sum(std::uint64_t Findings::*count) const;
  [[nodiscard]] std::vector<double> times_ms(std::int64_t Findings::*time_ns) const;
  [[nodiscard]] std::uint64_t lost() const;
  [[nodiscard]] std::uint64_t spoilt() const;

  /// Whether a store failed to open again, or something in it was spoilt, or something was lost
  /// although the plug-in promises to keep what it acknowledged.
  [[nodiscard]] bool broken(Promise promise) const;
  [[nodiscard]] int exit_code(Promise promise) const;
};

}  // namespace assay::index::crash
