// The examples of native/gbench, line for line (tools/header_examples.py), and those of
// native/measure/allocations that report to Google Benchmark.
#include <assay/gbench/benchmark_names.hpp>
#include <assay/gbench/console_reporter.hpp>
#include <assay/gbench/counter_scope.hpp>
#include <assay/gbench/csv_reporter.hpp>
#include <assay/gbench/flags.hpp>
#include <assay/gbench/google_benchmark.hpp>
#include <assay/gbench/json_file_end.hpp>
#include <assay/gbench/json_reporter.hpp>
#include <assay/gbench/latency_ids.hpp>
#include <assay/gbench/latency_recorder.hpp>
#include <assay/gbench/latency_rows.hpp>
#include <assay/gbench/library_versions.hpp>
#include <assay/gbench/memory_passes.hpp>
#include <assay/gbench/session.hpp>
#include <assay/gbench/unavailable_counters.hpp>
#include <assay/testing/temporary_folder.hpp>

#include <benchmark/benchmark.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace assay {
namespace {

void do_it() {}
void look_up() {}
std::string make_input() {
  return std::string(100, 'x');
}
void work(std::string& input) {
  benchmark::DoNotOptimize(input += input);
}
void work() {
  std::string input = make_input();
  work(input);
}

// ---- benchmarks --------------------------------------------------------------------------

namespace counter_scope {
static void work(benchmark::State& state) {
  assay::CounterScope counters(state, {"cycles", "instructions", "page-faults"});
  for (auto _ : state) do_it();
  counters.stop();  // or let it end with the function
}
BENCHMARK(work)->Name("counter_scope")->Iterations(4);
}  // namespace counter_scope

static void lookup(benchmark::State& state) {
  assay::LatencyRecorder latency(state, "latency");
  for (auto _ : state) {
    const auto timing = latency.time();
    look_up();
  }
}
BENCHMARK(lookup)->Iterations(4);

void allocation_meter(benchmark::State& state) {
  assay::AllocationMeter meter;
  for (auto _ : state) {
    auto input = make_input();       // not counted
    const auto part = meter.part();  // counted, until the end of this block
    work(input);
  }
  assay::report_allocations(state, meter);
}
BENCHMARK(allocation_meter)->Iterations(4);

void allocation_scope(benchmark::State& state) {
  assay::AllocationScope scope;
  for (auto _ : state) work();
  assay::report_allocations(state, scope);  // or use scope.taken()
}
BENCHMARK(allocation_scope)->Iterations(4);

class Rows : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& /*context*/) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) counters[run.run_name.function_name] = run.counters;
  }
  std::map<std::string, benchmark::UserCounters> counters{};
};

std::string text_of(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(HeaderExamples, Benchmarks) {
  Rows rows;
  benchmark::RunSpecifiedBenchmarks(&rows);

  EXPECT_EQ(rows.counters.at("counter_scope").count("page-faults"), 1U);
  EXPECT_EQ(rows.counters.at("lookup").count("p99"), 1U);
  const bool is_counted = allocation_status().counted;
  EXPECT_EQ(rows.counters.at("allocation_meter").contains("CallsToAlloc"), is_counted);
  EXPECT_EQ(rows.counters.at("allocation_scope").contains("CallsToAlloc"), is_counted);
}

// ---- what they are made of ---------------------------------------------------------------

// Compiled only: the library is set up once in a process, and a reporter needs a whole run.
[[maybe_unused]] std::size_t benchmark_names_example(int argc, char** argv) {
  const std::vector<std::string> names = assay::benchmark_names(argc, argv);

  return names.size();
}

[[maybe_unused]] void console_reporter_example(const Facts& facts, const MemoryPasses& passes) {
  ConsoleReporter display(facts, passes);
  benchmark::RunSpecifiedBenchmarks(&display);
}

[[maybe_unused]] void csv_reporter_example(benchmark::BenchmarkReporter* display) {
  CsvReporter reporter;
  benchmark::RunSpecifiedBenchmarks(display, &reporter);
}

[[maybe_unused]] void json_reporter_example(const Facts& facts, const MemoryPasses& passes,
                                            const std::vector<std::string>& names,
                                            benchmark::BenchmarkReporter* display) {
  JsonReporter reporter(facts, passes, JsonFileEnd(names, "out.json"));
  benchmark::RunSpecifiedBenchmarks(display, &reporter);
}

TEST(HeaderExamples, Flags) {
  std::string program = "bench";
  std::string flag = "--benchmark_format=json";
  std::vector<char*> words{program.data(), flag.data(), nullptr};
  int argc = 2;
  char** const argv = words.data();

  const assay::GbenchFlags flags = assay::take_gbench_flags(argc, argv);

  EXPECT_EQ(flags.format, "json");
}

TEST(HeaderExamples, JsonFileEnd) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "out.json";
  std::ofstream stream(path);
  const std::vector<std::string> names{"BM_first"};
  stream << "{\"benchmarks\": [\n";

  JsonFileEnd end(names, path);
  end.write_after(stream, "");  // after the context
  const std::string unfinished = text_of(path);
  stream << "    {\"name\": \"BM_first\"}";
  end.write_after(stream, "BM_first");  // after each benchmark's rows
  end.finish(stream);

  EXPECT_NE(unfinished.find("the process ended before"), std::string::npos) << unfinished;
  EXPECT_EQ(text_of(path).find("the process ended before"), std::string::npos);
}

TEST(HeaderExamples, LatencyRows) {
  LatencyRows rows;
  rows.open();
  LatencyHistogram histogram;
  histogram.record(17);
  std::map<std::string, double> counters;

  const std::string name = LatencyRows::id_name("latency");
  rows.arrive("latency");                             // each thread, before the loop
  const auto all = rows.leave("latency", histogram);  // each thread, after it
  if (all && all->id) counters[name] = static_cast<double>(*all->id);  // the last one
  const auto histograms = rows.of(counters);                           // the reporter, later

  EXPECT_EQ(histograms.count("latency"), 1U);
}

TEST(HeaderExamples, LatencyIds) {
  benchmark::BenchmarkReporter::Run run;
  run.counters["p99"] = 12;
  run.counters[LatencyRows::id_name("latency")] = 3;

  const auto shown = assay::without_ids(run).counters;  // no assay_histogram:latency=3

  EXPECT_EQ(shown.size(), 1U);
}

TEST(HeaderExamples, LibraryVersions) {
  benchmark::BenchmarkReporter::Run run;
  mark_as_failed(run);

  if (was_skipped(run)) std::cerr << skip_message(run);

  EXPECT_TRUE(was_skipped(run));
}

[[maybe_unused]] std::uint64_t memory_passes_example(const benchmark::BenchmarkReporter::Run& run) {
  std::uint64_t allocs = 0;

  MemoryPasses passes;
  benchmark::RegisterMemoryManager(&passes);  // the library then tells it of every pass
  if (const auto use = passes.of(run)) allocs = use->tally.allocs;

  return allocs;
}

TEST(HeaderExamples, Session) {
  assay::session().latency_rows.arrive("latency");
  assay::session().unavailable.add("cycles: not supported on this host");

  EXPECT_TRUE(session().unavailable.reason("cycles"));
}

TEST(HeaderExamples, UnavailableCounters) {
  UnavailableCounters unavailable;
  unavailable.add("cycles: not supported on this host");
  const auto reason = unavailable.reason("cycles");  // "not supported ...", or nothing

  EXPECT_EQ(reason, "not supported on this host");
}

}  // namespace
}  // namespace assay
