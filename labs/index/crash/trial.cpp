#include <assay/index/crash/trial.hpp>

#include <assay/base/random.hpp>
#include <assay/index/crash/verifier.hpp>
#include <assay/index/crash/worker.hpp>
#include <assay/index/plugin_library.hpp>
#include <assay/system/child_process.hpp>
#include <assay/system/locked_folder.hpp>

#include <filesystem>
#include <system_error>

namespace assay::index::crash {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;

enum class Woken { timeout, child, interrupted };
// In a process group of its own, so that Ctrl-C does not reach the child.
const ChildProcess::How apart{.own_group = true};

/// A folder for the trial's pool. The destructor removes it with its contents.
class TrialFolder {
 public:
  static Result<TrialFolder> make(const std::string& place) {
    constexpr const char* hint = "give --pool_path a folder to write in";
    std::error_code failed;
    const fs::path base = place.empty() ? fs::temp_directory_path(failed) : fs::path(place);
    if (failed) return Error{"no folder for temporary files: " + failed.message(), "TMPDIR", hint};
    auto made = make_locked_folder(base, "assay-crash-", hint);
    if (!made) return made.error();
    return TrialFolder(std::move(made).value());
  }
  TrialFolder(TrialFolder&& other) noexcept : folder_(std::exchange(other.folder_, {})) {}
  TrialFolder& operator=(TrialFolder&&) = delete;
  TrialFolder(const TrialFolder&) = delete;
  TrialFolder& operator=(const TrialFolder&) = delete;
  ~TrialFolder() {
    std::error_code ignored;
    if (!folder_.path.empty()) fs::remove_all(folder_.path, ignored);
  }

  [[nodiscard]] std::string pool() const { return (folder_.path / "pool").string(); }

 private:
  explicit TrialFolder(LockedFolder folder) : folder_(std::move(folder)) {}
  LockedFolder folder_;
};

TrialResult trial_result(TrialEnd end, std::string message) {
  return {.end = end, .message = std::move(message)};
}

std::string reason(const OperationLog& log, const ChildProcess& child, const std::string& when) {
  if (!log.message().empty()) return log.message();
  return "the process " + child.how_it_ended() + " " + when;
}

/// Waits for one of four: `done()` is true, the child ended, an interrupt came, or the deadline
/// passed.
template <class Done>
Woken wait_until(ChildProcess& child, Interrupts& interrupts, steady_clock::time_point deadline,
                 Done done) {
  while (!done()) {
    if (child.ended()) return Woken::child;
    if (steady_clock::now() >= deadline) return Woken::timeout;
    const auto signal = interrupts.signals.wait(milliseconds(1));
    if (!signal || *signal == SIGCHLD) continue;
    interrupts.came = *signal;
    return Woken::interrupted;
  }
  return Woken::timeout;
}

steady_clock::time_point deadline_after(nanoseconds time) {
  return steady_clock::now() + time;
}

/// Starts a worker and kills it at a random moment of its work. Returns nothing if it was killed
/// so, else what happened instead.
std::optional<TrialResult> kill_at_work(const CrashPlan& plan, const TrialFolder& folder,
                                        Random random, OperationLog& log, Interrupts& interrupts) {
  const nanoseconds moment(random.below(plan.work_ms * std::uint64_t{1'000'000}));
  ChildProcess worker([&, seed = random()] { run_worker(plan, folder.pool(), seed, log); }, apart);
  if (!worker.started()) return trial_result(TrialEnd::not_run, "no process could be made");
  const auto patience = deadline_after(std::chrono::seconds(plan.timeout_s));
  const auto has_loaded = [&] { return log.phase.load() != Phase::loading; };
  if (wait_until(worker, interrupts, patience, has_loaded) == Woken::interrupted)
    return TrialResult{};
  if (!has_loaded() && !worker.ended()) {
    return trial_result(TrialEnd::not_run,
                        "loading took longer than " + std::to_string(plan.timeout_s) + " s");
  }
  if (log.phase.load() == Phase::working) {
    const auto never = [] { return false; };
    if (wait_until(worker, interrupts, deadline_after(moment), never) == Woken::interrupted)
      return TrialResult{};
  }
  if (log.phase.load() == Phase::working && !worker.ended()) {
    worker.kill();
    return std::nullopt;
  }
  worker.kill();
  return trial_result(TrialEnd::not_run, reason(log, worker, "before it was killed"));
}

TrialResult open_again(const CrashPlan& plan, const TrialFolder& folder, OperationLog& log,
                       Interrupts& interrupts) {
  ChildProcess verifier([&] { run_verifier(plan, folder.pool(), log); }, apart);
  const auto never = [] { return false; };
  const auto patience = deadline_after(std::chrono::seconds(plan.timeout_s));
  const Woken woken = wait_until(verifier, interrupts, patience, never);
  if (woken == Woken::interrupted) return {};
  if (woken == Woken::timeout) {
    return trial_result(TrialEnd::not_verified,
                        "opening again took longer than " + std::to_string(plan.timeout_s) + " s");
  }
  if (log.phase.load() != Phase::verified || !verifier.exited_with_0()) {
    return trial_result(TrialEnd::not_verified, reason(log, verifier, "when it opened again"));
  }
  return {.end = TrialEnd::verified, .findings = log.findings, .message = log.message()};
}

}  // namespace

Status can_load(const CrashPlan& plan) {
  const auto log = OperationLog::make(0);
  if (!log) return log.error();
  Interrupts interrupts;
  const auto load = [&] {
    const auto library = PluginLibrary::open(plan.plugin);
    if (!library) log.value()->set_message(library.error().line());
  };
  ChildProcess child(load, apart);
  const auto never = [] { return false; };
  wait_until(child, interrupts, deadline_after(std::chrono::seconds(plan.timeout_s)), never);
  child.kill();
  if (child.exited_with_0() && log.value()->message().empty()) return {};
  return Error{reason(**log, child, "when the plug-in was loaded")};
}

TrialResult run_trial(const CrashPlan& plan, std::uint64_t seed, Interrupts& interrupts) {
  const auto folder = TrialFolder::make(plan.pools);
  if (!folder) return trial_result(TrialEnd::not_run, folder.error().line());
  const auto log = OperationLog::make(plan.keys());
  if (!log) return trial_result(TrialEnd::not_run, log.error().line());
  if (auto result = kill_at_work(plan, *folder, Random(seed), **log, interrupts)) return *result;
  return open_again(plan, *folder, **log, interrupts);
}

}  // namespace assay::index::crash
