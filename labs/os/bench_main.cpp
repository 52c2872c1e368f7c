// assay-os-bench: the catalogue as Google Benchmarks, so that assay run and compare, filters
// and --benchmark_* flags work on it.
//
//   assay-os-bench --benchmark_filter=os/strlen
//
// A case of one worker is measured in this process, with the timer paused during prepare() and
// undo(). A case of several workers is measured as assay-os does it: with manual time, and its
// cpu_time is not the workers'.
#include <assay/assay.hpp>
#include <assay/os/bench_name.hpp>
#include <assay/os/cli/catalogue.hpp>
#include <assay/os/harness/case_list.hpp>
#include <assay/os/harness/launch.hpp>
#include <assay/os/harness/scratch.hpp>
#include <assay/system/cpu_set.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <numeric>
#include <set>

namespace {

namespace os = assay::os;
using os::Calls;

// The run's scratch folders. They are made when the first benchmark needs them, so that listing
// makes none.
class BenchFolders {
 public:
  assay::Result<os::Setting> setting_of(const os::Command& command) {
    if (!scratch_) scratch_ = std::make_unique<assay::Result<os::Scratch>>(os::Scratch::make(""));
    if (!*scratch_) return scratch_->error();
    const os::Scratch& scratch = **scratch_;
    os::Setting setting = command.setting;
    setting.memory_folder = scratch.memory_folder();
    setting.disk_folder = scratch.disk_folder();
    setting.libexec = libexec();
    const auto done = setting.replace_tokens(
        [&scratch](const std::string& token) { return scratch.resolve(token); });
    if (!done) return done.error();
    return setting;
  }

 private:
  static std::string libexec() {
    std::error_code failed;
    const auto path = std::filesystem::read_symlink("/proc/self/exe", failed);
    return failed ? "." : path.parent_path().string();
  }
  std::unique_ptr<assay::Result<os::Scratch>> scratch_;
};

void give_up(benchmark::State& state, const assay::Error& error) {
  const std::string text = (os::is_host_lacking(error) ? "skipped: " : "") + error.line();
  state.SkipWithError(text.c_str());
}

// Runs one batch; only its calls are timed, not prepare() and undo().
assay::Status batch(benchmark::State& state, os::Work& work, Calls calls) {
  state.PauseTiming();
  if (assay::Status done = work.prepare(calls); !done) return done;
  state.ResumeTiming();
  if (assay::Status done = work.run(calls); !done) return done;
  state.PauseTiming();
  if (assay::Status done = work.undo(calls); !done) return done;
  state.ResumeTiming();
  return {};
}

void run_one_worker(benchmark::State& state, const os::Command& command,
                    const os::Setting& setting) {
  const auto stage = command.what.stage(setting);
  if (!stage) return give_up(state, stage.error());
  const auto work = (*stage)->worker({});
  if (!work) return give_up(state, work.error());
  const Calls asked = command.batch > 0 ? command.batch : os::any_number;
  const Calls most = std::min((*work)->most_calls(), asked);
  const auto calls = std::clamp<Calls>(static_cast<Calls>(state.max_iterations), 1, most);
  while (state.KeepRunningBatch(calls)) {
    if (const auto done = batch(state, **work, calls); !done) return give_up(state, done.error());
  }
}

void run_many_workers(benchmark::State& state, const os::Command& command,
                      const os::Setting& setting) {
  const auto wanted = static_cast<Calls>(state.max_iterations);
  os::LaunchPlan plan{.what = &command.what, .setting = setting};
  plan.effort.samples = 2'000;
  plan.effort.longest_ns = 10 * assay::ns_per_s;
  plan.effort.batch = command.batch;
  plan.effort.enough_calls = wanted;
  if (const auto cpus = assay::CpuSet::allowed()) plan.cpus = cpus->last_first();
  const os::Launched launched = os::launch(plan);
  if (launched.trouble) return give_up(state, *launched.trouble);
  const auto& each_ns = launched.per_call_ns;
  const double sum_ns = std::accumulate(each_ns.begin(), each_ns.end(), 0.0);
  const double mean_s = sum_ns / static_cast<double>(each_ns.size()) / 1e9;
  while (state.KeepRunningBatch(wanted))
    state.SetIterationTime(mean_s * static_cast<double>(wanted));
}

void register_run(const os::Command& command, const std::string& name,
                  const std::shared_ptr<BenchFolders>& folders) {
  const auto measure = [command, folders](benchmark::State& state) {
    const auto setting = folders->setting_of(command);
    if (!setting) return give_up(state, setting.error());
    if (setting->workers() == 1) return run_one_worker(state, command, *setting);
    run_many_workers(state, command, *setting);
  };
  auto* const registered = benchmark::RegisterBenchmark(name.c_str(), measure);
  if (command.setting.workers() > 1) registered->UseManualTime();
}

// The command line of each run of the catalogue, and of each case that is not in the catalogue,
// without options.
std::vector<std::vector<std::string>> all_command_lines() {
  std::vector<std::vector<std::string>> lines;
  std::set<std::string_view> seen;
  for (const os::CatalogueRun& run : os::catalogue()) {
    lines.push_back(run.words());
    seen.insert(run.what);
  }
  for (const os::Case& one : os::all_cases()) {
    if (!seen.contains(one.name)) lines.push_back({std::string(one.name)});
  }
  return lines;
}

void register_all() {
  const auto folders = std::make_shared<BenchFolders>();
  std::set<std::string> names;
  for (const auto& words : all_command_lines()) {
    const auto command = os::parse_command(words);
    if (!command) continue;  // this build leaves the case out
    const std::string name = os::bench_name(*command);
    if (names.insert(name).second) register_run(*command, name, folders);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  register_all();
  return assay::run_benchmarks(argc, argv, ASSAY_BUILD_FACTS);
} catch (const std::exception& error) {
  std::cerr << "assay-os-bench: " << error.what() << "\n";
  return 1;
}
