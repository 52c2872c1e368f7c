#include <assay/record/google_benchmark.hpp>

#include <assay/measure/allocation_status.hpp>
#include <assay/measure/allocator_functions.hpp>
#include <assay/measure/peak_scope.hpp>
#include <assay/record/gbench_flags.hpp>
#include <assay/record/google_benchmark_names.hpp>
#include <assay/record/google_benchmark_versions.hpp>
#include <assay/record/json_context.hpp>
#include <assay/record/json_file_end.hpp>
#include <assay/record/json_row.hpp>
#include <assay/record/latency_rows.hpp>
#include <assay/record/unavailable_counters.hpp>

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace assay {
namespace {

using nlohmann::ordered_json;
using Run = benchmark::BenchmarkReporter::Run;

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
  void Start() {
    LatencyRows::of_this_process().pause();  // sixteen untimed iterations are no distribution
    scope_.emplace();
  }
  void Stop(Result& result) {
    // The library allocates its thread manager first of all and frees it last: not ours.
    const hooks::SizeClasses classes = size_classes_inside();
    passes_.push_back({.tally = scope_->taken_inside(),
                       .peak_bytes = scope_->peak_bytes_inside(),
                       .size_classes = {classes.begin(), classes.end()}});
    scope_.reset();
    LatencyRows::of_this_process().resume();
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
  [[nodiscard]] hooks::SizeClasses size_classes_inside() const {
    hooks::SizeClasses classes = scope_->size_classes();
    const AllocationTally frame = hooks::outermost_block();
    std::uint64_t& its_class =
        classes.at(static_cast<std::size_t>(std::bit_width(frame.requested_bytes)));
    if (frame.allocs > 0 && its_class > 0) --its_class;
    return classes;
  }
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
  const auto use = passes.of(run);
  ordered_json memory = use ? json_memory(*use) : ordered_json(nullptr);
  const auto exact = json_memory(values(run.counters), run.threads);
  if (!exact) return memory;
  if (memory.is_null()) return *exact;
  memory.update(*exact);  // the peak and the sizes stay those of the pass, in one thread
  return memory;
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

/// Which histogram is a row's is for us to know: see LatencyRows.
Run without_tickets(const Run& run) {
  Run copy = run;
  for (const auto& [name, counter] : run.counters) {
    if (LatencyRows::is_ticket(name)) copy.counters.erase(name);
  }
  return copy;
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
  JsonReporter(const Facts& facts, const MemoryPasses& passes, JsonFileEnd end)
      : facts_(facts), passes_(passes), end_(std::move(end)) {
    library_.SetOutputStream(&buffer_);
  }

  bool ReportContext(const Context& context) override {
    library_.ReportContext(context);
    ordered_json whole = ordered_json::parse(take_buffer() + "]}", nullptr, false);
    ordered_json object = whole.is_discarded() ? ordered_json::object() : whole["context"];
    object["assay"] = json_context(facts_);
    GetOutputStream() << "{\n  \"context\":\n" << to_text(object, 2) << ",\n  \"benchmarks\": [";
    end_.write_after(GetOutputStream(), "");
    return true;
  }

  void ReportRuns(const std::vector<Run>& runs) override {
    leave_if_forked_from(owner_);
    for (const Run& run : runs) {
      GetOutputStream() << (is_first_ ? "\n" : ",\n") << to_text(row_of(run), 4);
      is_first_ = false;
    }
    end_.write_after(GetOutputStream(), newly_reported(runs));
  }

  void Finalize() override { end_.finish(GetOutputStream()); }
  void ended_early(const std::string& why) { end_.ended_early(why); }

 private:
  std::string take_buffer() {
    std::string text = std::exchange(buffer_, std::ostringstream()).str();
    return text.substr(std::min(text.find('{'), text.size()));  // past the comma between rows
  }

  /// Aggregates come after the repetitions they are of, under the same name.
  std::string newly_reported(const std::vector<Run>& runs) {
    std::string name = runs.empty() ? "" : runs.front().run_name.str();
    const bool is_aggregate = !runs.empty() && runs.front().run_type == Run::RT_Aggregate;
    const bool is_said = name == std::exchange(last_reported_, name) && is_aggregate;
    return is_said ? "" : name;
  }

  ordered_json row_of(const Run& run) {
    library_.ReportRuns({harmless(run)});
    ordered_json row = ordered_json::parse(take_buffer(), nullptr, false);
    if (row.is_discarded()) row = ordered_json::object();
    complete_row(row, texts_of(run), values(without_tickets(run).counters));
    if (run.run_type == Run::RT_Iteration) {
      put_latencies(row, LatencyRows::of_this_process().of(values(run.counters)));
    }
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
  JsonFileEnd end_;
  std::string last_reported_;
  bool is_first_{true};
  pid_t owner_{getpid()};
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
    leave_if_forked_from(owner_);
    std::vector<Run> shown;
    for (const Run& run : runs) {
      add_memory(shown.emplace_back(without_tickets(run)));
      name_what_is_unavailable(shown.back());
    }
    library_.ReportRuns(shown);
    GetOutputStream().flush();  // else a benchmark that forks hands its child a copy to print
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

  /// Counters without a value leave the table, and the label says so: never "0", nor "nan".
  void name_what_is_unavailable(Run& run) {
    for (auto counter = run.counters.begin(); counter != run.counters.end();) {
      const auto why = unavailable_counters::reason(counter->first);
      if (!why || !std::isnan(counter->second.value)) {
        ++counter;
        continue;
      }
      if (said_.insert(counter->first).second) {
        GetErrorStream() << counter->first << " is not available: " << *why << "\n";
      }
      run.report_label +=
          (run.report_label.empty() ? "" : " ") + counter->first + ": not available";
      counter = run.counters.erase(counter);
    }
  }

  const Facts& facts_;
  const MemoryPasses& passes_;
  benchmark::BenchmarkReporter& library_;  // the library keeps it
  std::set<std::string> said_;
  pid_t owner_{getpid()};
};

// ---- CSV -------------------------------------------------------------------------------

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // as every version has said so far

class CsvReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& context) override {
    library_.SetOutputStream(&GetOutputStream());
    library_.SetErrorStream(&GetErrorStream());
    return library_.ReportContext(context);
  }

  void ReportRuns(const std::vector<Run>& runs) override {
    std::vector<Run> shown = runs;
    for (Run& run : shown) run = without_tickets(run);
    library_.ReportRuns(shown);
  }

 private:
  benchmark::CSVReporter library_;
};

#pragma GCC diagnostic pop

void report_tally(benchmark::State& state, const AllocationTally& taken,
                  AllocationScope::Covers covers) {
  if (!allocation_status().counted && !hooks::functions_were_used()) return;
  using benchmark::Counter;
  // Counters are summed over threads, and a scope of all threads saw the same in each.
  const bool is_shared = covers == AllocationScope::Covers::all_threads;
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

using Reporter = std::unique_ptr<benchmark::BenchmarkReporter>;

/// None for a format nobody knows: the library says so itself.
Reporter reporter_for(const std::string& format, const Facts& facts, const MemoryPasses& passes,
                      JsonFileEnd end) {
  if (format == "json") return std::make_unique<JsonReporter>(facts, passes, std::move(end));
  if (format == "csv") return std::make_unique<CsvReporter>();
  return nullptr;
}

/// A benchmark that throws: what was measured before stays, and it is named as failed.
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

void report_allocations(benchmark::State& state, const AllocationScope& scope) {
  report_tally(state, scope.taken(), scope.covers());
}

void report_allocations(benchmark::State& state, const AllocationMeter& meter) {
  report_tally(state, meter.taken(), AllocationScope::Covers::this_thread);
}

int run_benchmarks(int argc, char** argv, const BuildFacts& build) {
  const GbenchFlags flags = take_gbench_flags(argc, argv);
  const std::vector<std::string> names = benchmark_names(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;

  const Facts facts = gather_facts(build, ASSAY_GBENCH_VERSION);
  MemoryPasses passes;
  if (flags.memory_pass && facts.allocations.counted) benchmark::RegisterMemoryManager(&passes);
  Reporter display = reporter_for(flags.format, facts, passes, JsonFileEnd(names, ""));
  if (flags.format == "console") display = std::make_unique<ConsoleReporter>(facts, passes);
  const Reporter file = flags.out.empty() ? nullptr
                                          : reporter_for(flags.out_format, facts, passes,
                                                         JsonFileEnd(names, flags.out));

  LatencyRows::of_this_process().open();
  const int code = run_and_catch(display.get(), file.get());
  benchmark::RegisterMemoryManager(nullptr);
  benchmark::Shutdown();
  return code;
}

}  // namespace assay
