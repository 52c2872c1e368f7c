#include <assay/index/crash/crash_result.hpp>

#include <assay/base/units.hpp>

namespace assay::index::crash {
namespace {

constexpr int fine = 0;
constexpr int found_something = 1;
constexpr int not_measured = 3;
constexpr int by_signal = 128;
constexpr std::size_t most_messages = 20;

}  // namespace

void CrashResult::add(const TrialResult& trial) {
  const std::string kill = "kill " + std::to_string(kills() + 1) + ": ";
  switch (trial.end) {
    case TrialEnd::verified:
      verified.push_back(trial.findings);
      break;
    case TrialEnd::not_verified:
      ++not_verified;
      break;
    case TrialEnd::not_run:
      ++not_run;
      break;
    case TrialEnd::interrupted:
      return;
  }
  if (!trial.message.empty() && messages.size() < most_messages) {
    messages.push_back(kill + trial.message);
  }
}

std::uint64_t CrashResult::sum(std::uint64_t Findings::*count) const {
  std::uint64_t total = 0;
  for (const Findings& one : verified) total += one.*count;
  return total;
}

std::vector<double> CrashResult::times_ms(std::int64_t Findings::*time_ns) const {
  std::vector<double> times;
  for (const Findings& one : verified) {
    times.push_back(static_cast<double>(one.*time_ns) / static_cast<double>(ns_per_ms));
  }
  return times;
}

std::uint64_t CrashResult::lost() const {
  return sum(&Findings::gone) + sum(&Findings::stale) + sum(&Findings::resurrected);
}

std::uint64_t CrashResult::spoilt() const {
  return sum(&Findings::torn) + sum(&Findings::never_written) + sum(&Findings::scan_differs) +
         sum(&Findings::unusable);
}

bool CrashResult::broken(Promise promise) const {
  return not_verified > 0 || spoilt() > 0 || (promise == Promise::acknowledged && lost() > 0);
}

int CrashResult::exit_code(Promise promise) const {
  if (interrupted_by != 0) return by_signal + interrupted_by;
  if (broken(promise)) return found_something;
  return not_run > 0 || verified.empty() ? not_measured : fine;
}

}  // namespace assay::index::crash
