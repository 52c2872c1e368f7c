#include <assay/gbench/google_benchmark.hpp>

#include <assay/gbench/benchmark_names.hpp>
#include <assay/gbench/console_reporter.hpp>
#include <assay/gbench/csv_reporter.hpp>
#include <assay/gbench/flags.hpp>
#include <assay/gbench/json_reporter.hpp>
#include <assay/gbench/session.hpp>

#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace assay {
namespace {

using Reporter = std::unique_ptr<benchmark::BenchmarkReporter>;

/// The reporter for --benchmark_format or --benchmark_out_format. Null for an unknown format, about
/// which the library itself prints the error.
Reporter reporter_for(const std::string& format, const Facts& facts, const MemoryPasses& passes,
                      JsonFileEnd end) {
  if (format == "json") return std::make_unique<JsonReporter>(facts, passes, std::move(end));
  if (format == "csv") return std::make_unique<CsvReporter>();
  return nullptr;
}

/// Handles a benchmark that threw: the results measured before it are kept, and its row gets the
/// error. Returns the exit code.
int report_exception(const char* what,
                     const std::vector<benchmark::BenchmarkReporter*>& reporters) {
  const std::string why = std::string("a benchmark threw an exception: ") + what;
  std::cerr << why << "\n";
  for (benchmark::BenchmarkReporter* const reporter : reporters) {
    if (auto* const json = dynamic_cast<JsonReporter*>(reporter)) json->ended_early(why);
  }
  return 1;
}

int run_and_catch(benchmark::BenchmarkReporter* display, benchmark::BenchmarkReporter* file) {
  try {
    benchmark::RunSpecifiedBenchmarks(display, file);
    return 0;
  } catch (const std::exception& error) {
    return report_exception(error.what(), {display, file});
  } catch (...) {
    return report_exception("not a std::exception", {display, file});
  }
}

}  // namespace

int run_benchmarks(int argc, char** argv, const BuildFacts& build) {
  const GbenchFlags flags = take_gbench_flags(argc, argv);
  const std::vector<std::string> names = benchmark_names(argc, argv);
  std::vector<std::string> words = arguments_to_run(argc, argv);
  std::vector<char*> pointers = pointers_to(words);
  int count = static_cast<int>(words.size());
  benchmark::Initialize(&count, pointers.data());
  if (benchmark::ReportUnrecognizedArguments(count, pointers.data())) return 1;

  const Facts facts = gather_facts(build, ASSAY_GBENCH_VERSION);
  MemoryPasses passes;
  if (flags.memory_pass && facts.allocations.counted) benchmark::RegisterMemoryManager(&passes);
  Reporter display = reporter_for(flags.format, facts, passes, JsonFileEnd(names, ""));
  if (flags.format == "console") display = std::make_unique<ConsoleReporter>(facts, passes);
  const Reporter file = flags.out.empty() ? nullptr
                                          : reporter_for(flags.out_format, facts, passes,
                                                         JsonFileEnd(names, flags.out));

  session().latency_rows.open();
  const int code = run_and_catch(display.get(), file.get());
  benchmark::RegisterMemoryManager(nullptr);
  benchmark::Shutdown();
  return code;
}

}  // namespace assay
