#include <assay/record/google_benchmark.hpp>

#include <assay/measure/allocation_status.hpp>
#include <assay/measure/peak_scope.hpp>
#include <assay/record/gbench_flags.hpp>
#include <assay/record/json_context.hpp>
#include <assay/record/json_row.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace assay {
namespace {

using nlohmann::ordered_json;
using Run = benchmark::BenchmarkReporter::Run;

// ---- what differs between versions of the library --------------------------------------

// 1.8 renamed error_occurred and error_message. Templates, so that only the branch that
// fits is compiled.
template <class AnyRun>
bool was_skipped(const AnyRun& run) {
  if constexpr (requires { run.error_occurred; }) {
    return run.error_occurred;
  } else {
    return static_cast<int>(run.skipped) != 0;
  }
}

template <class AnyRun>
auto& skip_message(AnyRun& run) {
  if constexpr (requires { run.error_message; }) {
    return run.error_message;
  } else {
    return run.skip_message;
  }
}

template <class AnyRun>
void mark_as_failed(AnyRun& run) {
  if constexpr (requires { run.error_occurred; }) {
    run.error_occurred = true;
  } else {
    run.skipped = static_cast<decltype(run.skipped)>(2);  // SkippedWithError
  }
}

// ---- the memory pass -------------------------------------------------------------------

// The library hands a pass's four figures to reporters, but 1.7.1 by a pointer into a
// vector that has grown since, and no name with them. Only allocs_per_iter arrives safe and
// sound in every version, so the number of allocations we tell the library is a ticket: the
// number of the pass. The reporters below turn it back; nobody else sees it.
//
// Nothing is marked `override`: 1.7 has both forms of Stop, 1.8 only one, and compilers
// want all or none marked.
class MemoryPasses : public benchmark::MemoryManager {
 public:
  // NOLINTBEGIN(modernize-use-override)
  void Start() { scope_.emplace(); }
  void Stop(Result& result) {
    // The library allocates its thread manager first of all and frees it last: not ours.
    passes_.push_back({.tally = scope_->taken_inside(), .peak_bytes = scope_->peak_bytes_inside()});
    scope_.reset();
    result.num_allocs = static_cast<std::int64_t>(passes_.size());
  }
  void Stop(Result* result) { Stop(*result); }
  // NOLINTEND(modernize-use-override)

  [[nodiscard]] std::optional<MemoryUse> of(const Run& run) const {
    const auto threads = std::max<std::int64_t>(run.threads, 1);
    const auto iterations = std::min<std::int64_t>(16, run.iterations / threads);
    const auto ticket = std::llround(run.allocs_per_iter * static_cast<double>(iterations));
    if (ticket < 1 || static_cast<std::size_t>(ticket) > passes_.size()) return std::nullopt;
    MemoryUse use = passes_[static_cast<std::size_t>(ticket) - 1];
    use.iterations = static_cast<double>(iterations);
    return use;
  }

 private:
  std::optional<PeakScope> scope_;
  std::vector<MemoryUse> passes_;
};

// ---- JSON ------------------------------------------------------------------------------

std::map<std::string, double> values(const benchmark::UserCounters& counters) {
  std::map<std::string, double> plain;
  for (const auto& [name, counter] : counters) plain[name] = counter.value;
  return plain;
}

ordered_json memory_of(const Run& run, const MemoryPasses& passes) {
  if (run.run_type != Run::RT_Iteration) return nullptr;
  if (auto exact = json_memory(values(run.counters), run.threads)) return *exact;
  const auto use = passes.of(run);
  return use ? json_memory(*use) : ordered_json(nullptr);
}

/// The keys under which the library itself reports a memory pass.
void put_library_memory(ordered_json& row, const MemoryUse& use) {
  row["allocs_per_iter"] =
      static_cast<double>(use.tally.allocs + use.tally.reallocs) / use.iterations;
  row["max_bytes_used"] = use.peak_bytes.value_or(0);
  row["total_allocated_bytes"] = use.tally.requested_bytes;
  row["net_heap_growth"] = use.tally.leaked_bytes();
}

RowTexts texts_of(const Run& run) {
  RowTexts texts{{"name", run.benchmark_name()},
                 {"run_name", run.run_name.str()},
                 {"label", run.report_label},
                 {"aggregate_name", run.aggregate_name}};
  if (!was_skipped(run)) return texts;
  for (const char* const key : {"error_message", "skip_message"}) texts[key] = skip_message(run);
  return texts;
}

/// The run without anything the library's writer could spoil its JSON with.
Run harmless(const Run& run) {
  Run copy = run;
  copy.run_name = {};
  copy.report_label.clear();
  copy.counters.clear();
  copy.memory_result = {};
  copy.allocs_per_iter = 0;
  if (was_skipped(copy)) skip_message(copy) = "-";
  if (copy.run_type == Run::RT_Aggregate) copy.aggregate_name = "-";
  if (!std::isfinite(run.GetAdjustedRealTime()) || !std::isfinite(run.GetAdjustedCPUTime())) {
    mark_as_failed(copy);
    skip_message(copy) = "the time measured is not a finite number";
    copy.real_accumulated_time = copy.cpu_accumulated_time = 0;
  }
  return copy;
}

// Google Benchmark writes each part into a buffer and we add to it: so its keys are those
// of whichever version is linked, and stay.
class JsonReporter : public benchmark::BenchmarkReporter {
 public:
  JsonReporter(const Facts& facts, const MemoryPasses& passes) : facts_(facts), passes_(passes) {
    library_.SetOutputStream(&buffer_);
  }

  bool ReportContext(const Context& context) override {
    library_.ReportContext(context);
    ordered_json whole = ordered_json::parse(take_buffer() + "]}", nullptr, false);
    ordered_json object = whole.is_discarded() ? ordered_json::object() : whole["context"];
    object["assay"] = json_context(facts_);
    GetOutputStream() << "{\n  \"context\":\n" << to_text(object, 2) << ",\n  \"benchmarks\": [";
    return true;
  }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      GetOutputStream() << (is_first_ ? "\n" : ",\n") << to_text(row_of(run), 4);
      is_first_ = false;
    }
  }

  void Finalize() override { GetOutputStream() << "\n  ]\n}\n"; }

 private:
  std::string take_buffer() {
    std::string text = std::exchange(buffer_, std::ostringstream()).str();
    return text.substr(std::min(text.find('{'), text.size()));  // past the comma between rows
  }

  ordered_json row_of(const Run& run) {
    library_.ReportRuns({harmless(run)});
    ordered_json row = ordered_json::parse(take_buffer(), nullptr, false);
    if (row.is_discarded()) row = ordered_json::object();
    complete_row(row, texts_of(run), values(run.counters));
    if (const auto use = passes_.of(run)) put_library_memory(row, *use);
    if (ordered_json memory = memory_of(run, passes_); !memory.is_null()) {
      row["assay"]["memory"] = std::move(memory);
    }
    return row;
  }

  const Facts& facts_;
  const MemoryPasses& passes_;
  std::ostringstream buffer_;
  benchmark::JSONReporter library_;
  bool is_first_{true};
};

// ---- console ---------------------------------------------------------------------------

// The library's own reporter, so colours, tables and widths are as ever, given a few
// counters more.
class ConsoleReporter : public benchmark::BenchmarkReporter {
 public:
  ConsoleReporter(const Facts& facts, const MemoryPasses& passes)
      : facts_(facts), passes_(passes), library_(*benchmark::CreateDefaultDisplayReporter()) {}

  bool ReportContext(const Context& context) override {
    if (const std::string warning = build_warning(facts_.build); !warning.empty()) {
      GetErrorStream() << "***WARNING*** this benchmark was " << warning << "\n";
    }
    if (!facts_.allocations.counted) {
      GetErrorStream() << "Allocations are not counted: " << facts_.allocations.reason << "\n";
    }
    return library_.ReportContext(context);
  }

  void ReportRuns(const std::vector<Run>& runs) override {
    std::vector<Run> shown = runs;
    for (Run& run : shown) add_memory(run);
    library_.ReportRuns(shown);
  }

  void Finalize() override { library_.Finalize(); }

 private:
  void add_memory(Run& run) const {
    const auto use = passes_.of(run);
    if (!use || run.counters.count("CallsToAlloc") != 0) return;  // the exact figures are there
    const auto each = [&use](std::uint64_t n) { return static_cast<double>(n) / use->iterations; };
    run.counters["allocs"] = each(use->tally.allocs + use->tally.reallocs);
    run.counters["bytes"] = each(use->tally.requested_bytes);
    run.counters["peak_bytes"] = static_cast<double>(use->peak_bytes.value_or(0));
  }

  const Facts& facts_;
  const MemoryPasses& passes_;
  benchmark::BenchmarkReporter& library_;  // the library keeps it
};

using Reporter = std::unique_ptr<benchmark::BenchmarkReporter>;

/// No reporter of ours: the library makes its own, as for CSV.
Reporter reporter_for(const std::string& format, const Facts& facts, const MemoryPasses& passes) {
  if (format == "json") return std::make_unique<JsonReporter>(facts, passes);
  return nullptr;
}

}  // namespace

void report_allocations(benchmark::State& state, const AllocationScope& scope) {
  if (!allocation_status().counted) return;
  using benchmark::Counter;
  const AllocationTally taken = scope.taken();
  // Counters are summed over threads, and a scope of all threads saw the same in each.
  const bool is_shared = scope.covers() == AllocationScope::Covers::all_threads;
  const auto flags = static_cast<Counter::Flags>(
      Counter::kAvgIterations | (is_shared ? Counter::kAvgThreads : Counter::kDefaults));
  const auto put = [&](const char* name, double value) {
    state.counters[name] = Counter(value, flags);
  };
  put("CallsToAlloc", static_cast<double>(taken.allocs));
  put("CallsToRealloc", static_cast<double>(taken.reallocs));
  put("CallsToFree", static_cast<double>(taken.frees));
  put("MemoryAllocated", static_cast<double>(taken.requested_bytes));
  put("MemoryFreed", taken.freed_bytes());
}

int run_benchmarks(int argc, char** argv, const BuildFacts& build) {
  const GbenchFlags flags = take_gbench_flags(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;

  const Facts facts = gather_facts(build, ASSAY_GBENCH_VERSION);
  MemoryPasses passes;
  if (flags.memory_pass && facts.allocations.counted) benchmark::RegisterMemoryManager(&passes);
  Reporter display = reporter_for(flags.format, facts, passes);
  if (flags.format == "console") display = std::make_unique<ConsoleReporter>(facts, passes);
  const Reporter file = flags.out.empty() ? nullptr : reporter_for(flags.out_format, facts, passes);

  benchmark::RunSpecifiedBenchmarks(display.get(), file.get());
  benchmark::RegisterMemoryManager(nullptr);
  benchmark::Shutdown();
  return 0;
}

}  // namespace assay
