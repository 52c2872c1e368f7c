#include <assay/index/crash/crash_plan.hpp>

#include <CLI/CLI.hpp>

#include <filesystem>
#include <map>

namespace assay::index::crash {
namespace {

constexpr int bad_input = 2;

constexpr const char* purpose =
    "Load, work, kill -9 at a random moment, open again, look what is there; several times.\n"
    "Exit code: 0 nothing lost, 1 something lost or torn or not opened again, 2 bad input,\n"
    "3 could not be measured.";

constexpr const char* after =
    "Only the death of the process is tried, not that of the machine: what the process handed to\n"
    "the kernel survives the first.";

void add_workload(CLI::App& app, CrashPlan& plan) {
  constexpr std::uint32_t most = 1'000'000;
  app.add_option("-n,--records", plan.records, "records loaded; as many more may be inserted")
      ->check(CLI::Range(1U, most));
  app.add_option("-t,--threads", plan.threads, "threads that write")->check(CLI::Range(1U, 256U));
  app.add_option("-k,--key_size", plan.key_size, "bytes of a key")->check(CLI::Range(4U, 1024U));
  app.add_option("-v,--value_size", plan.value_size, "bytes of a value")
      ->check(CLI::Range(8U, 1U << 20U));
  app.add_option("--seed", plan.seed, "of operations and of the moments of the kills");
  app.add_option("--work_ms", plan.work_ms, "the kill comes at a random moment of these")
      ->check(CLI::Range(1U, 600'000U));
}

void add_surroundings(CLI::App& app, CrashPlan& plan) {
  static const std::map<std::string, Promise> promises = {{"none", Promise::none},
                                                          {"acknowledged", Promise::acknowledged}};
  app.add_option("--pool_path", plan.pools, "folder for the pools, one for each kill, removed")
      ->check(CLI::ExistingDirectory);
  app.add_option("--pool_size", plan.pool_size, "bytes of a pool");
  app.add_option("--timeout", plan.timeout_s, "seconds that loading or opening again may take")
      ->check(CLI::Range(1U, 3'600U));
  app.add_option("--promise", plan.promise,
                 "acknowledged: a write that returned true survives; none: it need not")
      ->transform(CLI::CheckedTransformer(promises).description("{none,acknowledged}"));
  app.add_option("--json", plan.json, "also write the result to this file");
}

/// Why --json cannot be written, as far as its folder shows before the work; empty if nothing is
/// wrong.
std::string cannot_write(const std::string& json) {
  if (json.empty()) return {};
  const auto folder = std::filesystem::absolute(json).parent_path();
  std::error_code failed;
  if (std::filesystem::is_directory(folder, failed)) return {};
  return "--json: no such folder: " + folder.string();
}

/// An error text if there are more threads than keys; else empty. Each key is written by one
/// thread, so a thread without a key would have nothing to do; such writers once wrote outside
/// their memory.
std::string too_many_threads(const CrashPlan& plan) {
  if (plan.threads <= plan.keys()) return {};
  return "--threads " + std::to_string(plan.threads) + ": more than the " +
         std::to_string(plan.keys()) + " keys there are; give more --records";
}

}  // namespace

CrashCommand parse_crash_plan(int argc, const char* const* argv) {
  CrashCommand command;
  CLI::App app(purpose, "assay-crash");
  app.footer(after);
  app.add_option("plugin", command.plan.plugin, "a plug-in that was built, or a path")->required();
  app.add_option("--kills,--crash", command.plan.kills, "how many times")
      ->check(CLI::Range(1U, 100'000U));
  add_workload(app, command.plan);
  add_surroundings(app, command.plan);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& wrong) {
    const bool is_help = wrong.get_exit_code() == 0;
    app.exit(wrong);
    command.exit_code = is_help ? 0 : bad_input;
    return command;
  }
  std::string problem = cannot_write(command.plan.json);
  if (problem.empty()) problem = too_many_threads(command.plan);
  if (!problem.empty()) {
    std::cerr << "assay-crash: " << problem << '\n';
    command.exit_code = bad_input;
  }
  return command;
}

}  // namespace assay::index::crash
