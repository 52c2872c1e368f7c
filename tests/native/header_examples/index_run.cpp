// The examples of labs/index/run and report, line for line (tools/header_examples.py).
#include <assay/index/empty_tree.hpp>
#include <assay/index/report/hdr_log.hpp>
#include <assay/index/report/outputs.hpp>
#include <assay/index/report/report_assay.hpp>
#include <assay/index/report/report_pibench.hpp>
#include <assay/index/report/result_json.hpp>
#include <assay/index/run/driver_cost.hpp>
#include <assay/index/run/loading.hpp>
#include <assay/index/run/operation_timing.hpp>
#include <assay/index/run/quick_ticks.hpp>
#include <assay/index/run/run_process.hpp>
#include <assay/index/run/run_result.hpp>
#include <assay/index/run/series.hpp>
#include <assay/index/run/shared_results.hpp>
#include <assay/index/run/supervisor.hpp>
#include <assay/index/run/worker.hpp>
#include <assay/index/run/worker_threads.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>

namespace assay::index {
namespace {

Options reading() {
  Options options{.plugin = "no_such_plugin", .records = 100, .operations = 100};
  options.ratios[Operation::read] = 1;
  return options;
}
const Options options = reading();
const KeyMaker keys(options.key, nullptr);

std::string complaint;
void complain(const std::string& what) {
  complaint = what;
}

// ---- report ------------------------------------------------------------------------------

TEST(HeaderExamples, HdrLog) {
  const RunResult result{.options = options};
  std::ostringstream file;

  file << assay::index::hdr_log(result);

  EXPECT_FALSE(file.str().empty());
}

Status outputs_example(const RunResult& result) {
  const auto files = assay::index::OutputFiles::open(options.outputs);  // before the run
  if (!files) return files.error();
  return files->write(result);
}

TEST(HeaderExamples, Reports) {
  const RunResult result{.options = options};
  EXPECT_TRUE(outputs_example(result));

  std::cout << assay::index::assay_report(result);

  std::cout << assay::index::pibench_report(result, read_environment());

  const nlohmann::ordered_json document = assay::index::to_document(result);

  EXPECT_TRUE(document.contains("context"));
}

// ---- run ---------------------------------------------------------------------------------

TEST(HeaderExamples, DriverCost) {
  const double ns = assay::index::measure_driver_cost(options, keys);

  EXPECT_GT(ns, 0);
}

TEST(HeaderExamples, Loading) {
  const auto tree = make_empty_tree();
  const auto results = SharedResults::make({}).value();
  const RunContext run{options, keys, *tree, results};
  const ExpectedRecords expected(options, options.records);

  load(run);
  verify_loaded(run);          // before
  verify_held(run, expected);  // after, with --verify

  EXPECT_EQ(results.thread(0).loaded.load(), options.records);
}

TEST(HeaderExamples, OperationTiming) {
  const auto results = SharedResults::make({.timed = {Operation::read}}).value();
  LatencyClock clocked;
  clocked.histograms[Operation::read] = results.histogram(0, Operation::read);
  const SamplingGaps gaps(1, 1729);
  const Operation kind = Operation::read;
  const auto operate = [] { return true; };
  int left = 3;
  bool ok = true;

  Sampled timing(clocked, gaps);
  for (; left > 0 && timing.may_begin(); --left) {
    ok = timing.around(kind, [&] { return operate(); });
  }

  EXPECT_TRUE(ok);
  EXPECT_EQ(clocked.histograms[kind]->histogram().total(), 3U);
}

void work() {}

TEST(HeaderExamples, QuickTicks) {
  const std::uint64_t began = quick_ticks::begin();
  work();
  const std::uint64_t ticks = quick_ticks::end() - began;

  EXPECT_TRUE(ticks > 0 || !quick_ticks::exist);
}

// Compiled only: it does not return.
[[maybe_unused]] void run_process_example(const SharedResults& results, int phases) {
  const KeyFile* const file = nullptr;
  const std::shared_ptr<OptionsPage> page = *OptionsPage::make();

  run_child({options, file, results, phases, page});  // supervisor.cpp; does not return
}

TEST(HeaderExamples, RunResult) {
  const auto results = SharedResults::make({}).value();

  const RunResult result = gather(options, results);
  const double rate = result.per_second(result.all.completed);

  EXPECT_EQ(rate, 0);
}

TEST(HeaderExamples, Series) {
  PerOperation<std::uint64_t> completed{};
  completed[Operation::read] = 5;

  Series series;
  series.add({.at_ns = 100'000'000, .completed = completed});  // counts since the beginning

  EXPECT_EQ(series.samples().back().all(), 5U);
}

TEST(HeaderExamples, SharedResults) {
  auto results = SharedResults::make({.threads = 2, .timed = {Operation::read}});
  Tally& reads = results->thread(0).tallies[Operation::read];
  add(reads.completed, 1);  // by the child, and read by its supervisor

  EXPECT_EQ(reads.completed.load(), 1U);
}

Status supervisor_example() {
  auto result = assay::index::supervise(options);
  if (!result) return result.error();
  if (result->failure) complain(result->failure->what);
  return {};
}

TEST(HeaderExamples, Supervisor) {
  const Status done = supervisor_example();
  EXPECT_TRUE(!done || !complaint.empty()) << "there is no such plug-in";
}

TEST(HeaderExamples, Worker) {
  const auto empty = make_empty_tree();
  tree_api& tree = *empty;
  const auto results = SharedResults::make({}).value();
  const ThreadPartition place{.records = options.records};
  ExpectedRecords* const expected = nullptr;
  const std::uint64_t operations = 100;

  Worker worker({options, keys, tree, results, place, expected});
  worker.run(operations);  // or until results.main().stop

  EXPECT_EQ(results.thread(0).tallies[Operation::read].completed.load(), operations);
}

TEST(HeaderExamples, WorkerThreads) {
  const auto results = SharedResults::make({.threads = 2}).value();
  const std::uint32_t threads = 2;
  std::atomic<std::uint32_t> done{0};

  run_team(threads, results.main(), [&](std::uint32_t thread) { done += thread + 1; });

  EXPECT_EQ(done.load(), 3U);
}

}  // namespace
}  // namespace assay::index
