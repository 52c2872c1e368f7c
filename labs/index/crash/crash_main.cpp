// assay-crash: does what a store acknowledged survive the death of its process?
#include <assay/index/crash/crash_plan.hpp>
#include <assay/index/crash/crash_report.hpp>
#include <assay/index/crash/crash_result.hpp>
#include <assay/index/crash/promise.hpp>

#include <assay/base/random.hpp>
#include <assay/index/plugin_library.hpp>
#include <assay/record/build_facts.hpp>
#include <assay/record/lab_document.hpp>

#include <cstdio>

namespace {

using namespace assay::index::crash;  // NOLINT: this file is the program

constexpr int bad_input = 2;

int fail(const assay::Error& error) {
  std::fprintf(stderr, "assay-crash: %s\n", error.line().c_str());
  return bad_input;
}

CrashResult kill_again_and_again(const CrashPlan& plan) {
  CrashResult result;
  assay::Random random(plan.seed);
  Interrupts interrupts;
  for (std::uint32_t kill = 0; kill < plan.kills; ++kill) {
    result.add(run_trial(plan, random(), interrupts));
    result.interrupted_by = interrupts.came;
    if (result.interrupted_by != 0 || result.not_run > 0) break;
  }
  return result;
}

int report(const CrashPlan& plan, const CrashTitle& title, const CrashResult& result) {
  std::fputs(text_of(plan, title, result).c_str(), stdout);
  if (!plan.json.empty()) {
    const assay::Status written =
        assay::write_document(plan.json, document_of(plan, title, result, ASSAY_BUILD_FACTS));
    if (!written) {
      assay::Error error = written.error();
      error.hint = "choose another --json";
      return fail(error);
    }
  }
  return result.exit_code(title.promise);
}

}  // namespace

int main(int argc, char** argv) {
  const CrashCommand command = parse_crash_plan(argc, argv);
  if (command.exit_code) return *command.exit_code;
  const auto path =
      assay::index::resolve_plugin(command.plan.plugin, assay::index::plugin_folder());
  if (!path) return fail(path.error());
  if (const auto loads = can_load(command.plan); !loads) return fail(loads.error());
  const std::string name = assay::index::plugin_name(*path);
  const CrashTitle title{name, command.plan.promise.value_or(promise_of(name))};
  return report(command.plan, title, kill_again_and_again(command.plan));
}
