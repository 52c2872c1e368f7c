#include <assay/index/run/supervisor.hpp>

#include <assay/base/units.hpp>
#include <assay/index/plugin_library.hpp>
#include <assay/index/run/run_process.hpp>
#include <assay/system/child_process.hpp>
#include <assay/system/clock.hpp>
#include <assay/system/file_descriptor.hpp>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace assay::index {
namespace {

constexpr int bad_input = 2;
constexpr int bad_plugin = 3;
constexpr int by_signal = 128;
constexpr std::int64_t look_ns = 500 * ns_per_ms;  // longest time between two checks for progress

sigset_t interrupts() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  return set;
}

std::string signal_text(int signal) {
  const char* const name = sigdescr_np(signal);
  return "signal " + std::to_string(signal) +
         (name == nullptr ? "" : " (" + std::string(name) + ")");
}

/// Watches the child until it ends: takes samples, ends the run at an interrupt or when its time
/// is over, and kills the child if it hangs.
class ChildMonitor {
 public:
  ChildMonitor(const Options& options, const SharedResults& results, pid_t child, int phases)
      : options_(options),
        results_(results),
        main_(results.main()),
        child_(child),
        phases_(phases),
        process_(static_cast<int>(syscall(SYS_pidfd_open, child, 0))),
        signals_(signalfd(-1, &set_, SFD_CLOEXEC)),
        progress_ns_(now_ns()) {}

  /// An Error if one of the two descriptors is missing that report the child's end and interrupts:
  /// until_it_ends() would wait for ever.
  [[nodiscard]] Status ready() const {
    if (!process_) return system_error("pidfd_open", errno, "needs Linux 5.3 or newer");
    if (!signals_) return system_error("signalfd", errno, "more open files may help (ulimit -n)");
    return {};
  }

  void until_it_ends() {
    std::array<pollfd, 3> files{{{.fd = process_.number(), .events = POLLIN, .revents = 0},
                                 {.fd = phases_, .events = POLLIN, .revents = 0},
                                 {.fd = signals_.number(), .events = POLLIN, .revents = 0}}};
    while (true) {
      const timespec left = left_until(next_ns());
      if (ppoll(files.data(), files.size(), &left, nullptr) < 0 && errno != EINTR) break;
      if (files[0].revents != 0) break;
      if (files[1].revents != 0) take_phase();
      if (files[2].revents != 0) take_signal();
      tick(now_ns());
    }
  }

  void finish(RunResult& result) {
    int status = 0;
    rusage usage{};
    while (wait4(child_, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    result.peak_rss_bytes = std::int64_t{usage.ru_maxrss} * 1024;
    end_series(result);
    result.series = series_;
    result.interrupted_by = interrupted_by_;
    result.failure = failure(status);
  }

 private:
  [[nodiscard]] bool is_running() const { return main_.run_began_ns.load() > 0; }

  [[nodiscard]] std::int64_t next_ns() const {
    std::int64_t next = last_look_ns_ + look_ns;
    if (main_.phase.load() != Phase::running) return next;
    next = std::min(next, next_sample_ns());
    return is_timed() ? std::min(next, deadline_ns()) : next;
  }
  [[nodiscard]] std::int64_t next_sample_ns() const {
    return main_.run_began_ns.load() + (sampled_ + 1) * options_.sampling_ms * ns_per_ms;
  }
  [[nodiscard]] bool is_timed() const { return options_.mode == Mode::time && !main_.stop.load(); }
  [[nodiscard]] std::int64_t deadline_ns() const {
    return main_.run_began_ns.load() + static_cast<std::int64_t>(options_.seconds * ns_per_s);
  }

  static timespec left_until(std::int64_t moment_ns) {
    const std::int64_t left = std::max<std::int64_t>(moment_ns - now_ns(), 0);
    return {.tv_sec = left / ns_per_s, .tv_nsec = left % ns_per_s};
  }

  void take_phase() const {
    std::uint64_t ignored = 0;
    if (read(phases_, &ignored, sizeof ignored) < 0) main_.stop.store(true);
  }

  void take_signal() {
    signalfd_siginfo signal{};
    if (read(signals_.number(), &signal, sizeof signal) < 0) return;
    if (interrupted_by_ != 0 || !is_running()) kill(child_, SIGKILL);
    if (interrupted_by_ == 0) interrupted_by_ = static_cast<int>(signal.ssi_signo);
    main_.stop.store(true);
  }

  void tick(std::int64_t now) {
    last_look_ns_ = now;
    if (main_.phase.load() == Phase::running) {
      if (now >= next_sample_ns()) sample(now);
      if (is_timed() && now >= deadline_ns()) main_.stop.store(true);
    }
    look_for_progress(now);
  }

  void sample(std::int64_t now) {
    const std::int64_t at_ns = now - main_.run_began_ns.load();
    sampled_ = at_ns / (options_.sampling_ms * ns_per_ms);
    SeriesSample sample{.at_ns = at_ns, .completed = {}};
    for (std::uint32_t number = 0; number < results_.threads(); ++number) {
      for (const Operation kind : all_operations) {
        sample.completed[kind] += results_.thread(number).tallies[kind].completed.load();
      }
    }
    series_.add(sample);
  }

  /// Adds a last sample if operations were completed after the last one.
  void end_series(const RunResult& result) {
    SeriesSample end{.at_ns = result.elapsed_ns, .completed = {}};
    for (const Operation kind : all_operations) {
      end.completed[kind] = result.operations[kind].completed;
    }
    const auto& samples = series_.samples();
    if (end.all() > (samples.empty() ? 0 : samples.back().all())) series_.add(end);
  }

  void look_for_progress(std::int64_t now) {
    std::uint64_t seen = static_cast<std::uint64_t>(main_.phase.load());
    for (std::uint32_t number = 0; number < results_.threads(); ++number) {
      const ThreadCounters& thread = results_.thread(number);
      seen += thread.prepared.load() + thread.loaded.load();
      for (const Tally& tally : thread.tallies.values) seen += tally.completed.load();
    }
    if (std::exchange(seen_, seen) != seen) progress_ns_ = now;
    if (now - progress_ns_ < static_cast<std::int64_t>(options_.timeout_s * ns_per_s)) return;
    hangs_ = true;
    kill(child_, SIGKILL);
  }

  [[nodiscard]] std::optional<Failure> failure(int status) const {
    const Phase phase = main_.phase.load();
    const auto failed = [phase](const std::string& what, int code) {
      return Failure{.what = what, .phase = phase, .exit_code = code};
    };
    if (main_.has_failed.load()) {
      const int code = main_.fault == Fault::input ? bad_input : bad_plugin;
      return failed(main_.failure.data(), code);
    }
    const std::string during = " while " + std::string(name_of(phase));
    if (hangs_) {
      char seconds[32];
      std::snprintf(seconds, sizeof seconds, "%g", options_.timeout_s);
      return failed("the plug-in made no progress for " + std::string(seconds) + " s" + during +
                        " (--timeout)",
                    bad_plugin);
    }
    if (interrupted_by_ != 0 && (WIFSIGNALED(status) || phase != Phase::done)) {
      return failed("interrupted" + during, by_signal + interrupted_by_);
    }
    if (WIFSIGNALED(status)) {
      const bool may_be_full = WTERMSIG(status) == SIGBUS && !options_.pool.path.empty();
      return failed("the plug-in was ended by " + signal_text(WTERMSIG(status)) + during +
                        (may_be_full ? ": is the disk of the pool full?" : ""),
                    bad_plugin);
    }
    if (phase == Phase::done) return std::nullopt;
    return failed("the plug-in ended the process with exit code " +
                      std::to_string(WEXITSTATUS(status)) + during,
                  bad_plugin);
  }

  const Options& options_;
  const SharedResults& results_;
  RunState& main_;
  pid_t child_;
  int phases_;
  sigset_t set_{interrupts()};
  FileDescriptor process_;
  FileDescriptor signals_;
  Series series_{};
  std::int64_t sampled_{0};
  std::int64_t last_look_ns_{0};
  std::int64_t progress_ns_;
  std::uint64_t seen_{0};
  bool hangs_{false};
  int interrupted_by_{0};  // the first signal that came; 0: none
};

Result<std::optional<KeyFile>> read_keys(Options& options) {
  if (options.key.file.empty()) return std::optional<KeyFile>{};
  auto keys = KeyFile::read(options.key.file, options.key.prefix);
  if (!keys) return keys.error();
  if (options.records == 0) options.records = keys->size();
  if (options.records > keys->size()) {
    return Error{"holds " + std::to_string(keys->size()) + " keys, too few for " +
                     std::to_string(options.records) + " records",
                 options.key.file, "give a smaller --records"};
  }
  return std::optional<KeyFile>(std::move(keys).value());
}

/// Adds warnings about the plug-in to the result and, if it failed, to the failure's text as
/// possible reasons.
void add_warnings(RunResult& result, const RunState& main, const OptionsPage& page) {
  for (const std::string& warning : {std::string(main.warning.data()), page.warning()}) {
    if (warning.empty()) continue;
    result.warning += (result.warning.empty() ? "" : "; ") + warning;
  }
  if (!result.failure || result.failure->exit_code != bad_plugin) return;
  for (const std::string& reason : {result.warning, std::string(main.hint.data())}) {
    if (!reason.empty()) result.failure->what += "; " + reason;
  }
}

ResultsShape shape_of(const Options& options) {
  ResultsShape shape{.threads = options.threads, .timed = {}};
  for (const Operation kind : all_operations) {
    if (options.latency_sampling > 0 && options.has(kind)) shape.timed.push_back(kind);
  }
  return shape;
}

}  // namespace

Result<RunResult> supervise(const Options& asked) {
  Options options = asked;
  const auto keys = read_keys(options);
  if (!keys) return keys.error();
  const auto results = SharedResults::make(shape_of(options));
  if (!results) return results.error();
  const auto page = OptionsPage::make();
  if (!page) return page.error();
  const FileDescriptor phases(eventfd(0, EFD_CLOEXEC));
  if (!phases) return system_error("eventfd", errno, "more open files may help (ulimit -n)");
  const sigset_t set = interrupts();
  sigprocmask(SIG_BLOCK, &set, nullptr);
  const pid_t child = fork_tied();
  if (child < 0) return Error{std::string("cannot fork: ") + std::strerror(errno)};
  if (child == 0) {
    sigprocmask(SIG_UNBLOCK, &set, nullptr);
    run_child({.options = options,
               .file = *keys ? &**keys : nullptr,
               .results = *results,
               .phases = phases.number(),
               .page = *page});
  }
  ChildMonitor watch(options, *results, child, phases.number());
  if (Status ready = watch.ready(); !ready) {
    end_child(child);
    return ready.error();
  }
  watch.until_it_ends();
  RunResult result = gather(options, *results);
  watch.finish(result);
  add_warnings(result, results->main(), **page);
  const auto path = resolve_plugin(options.plugin, plugin_folder());
  result.plugin_path = path ? path->string() : options.plugin;
  return result;
}

}  // namespace assay::index
