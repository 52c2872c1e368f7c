// Purpose: the benchmarks of restore trees, for any implementation of the concept.
//
//   register_restore_benchmarks<MyTree>("MyTree", plan);
//
// Names are BM_<what><<implementation>>/<shape>/<order>/<files>. Every measurement has a tree of
// its own with nothing marked, built outside the timed region (inside it for BM_populatetree); text
// and rows are made outside it. The work is checked afterwards: a tree that lost files or marked
// too few is reported as an error, without a time.
//
// Counters: items_per_second (rows; for commands, entries), bytes_per_file as the tree computes
// it, rss_per_file and peak_rss as the kernel reports them.
//
// Thread safety: main thread, before the benchmarks run. Cost: the clock is read twice for
// every thousand rows (BM_populatetree), or twice (the others).
#pragma once

#include <assay/assay.hpp>
#include <assay/restore/catalogue/synthetic_catalogue.hpp>
#include <assay/restore/resident_memory.hpp>
#include <assay/restore/tree/intake.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace assay::restore {

/// A RowSource produces the rows of a benchmark: it calls its ChunkSink once for each chunk of
/// rows.
using ChunkSink = std::function<void(const RowChunk&)>;
using RowSource = std::function<void(const ChunkSink&)>;

struct Workload {
  // The last parts of the benchmark's name, such as "nested/numeric/100000".
  std::string name;
  std::uint64_t files{0};
  RowSource source{};
  int iterations{1};
  std::uint64_t rejected{0};  // rows of a recorded catalogue that a tree rejects
};

Workload synthetic_workload(const CatalogueSpec& spec);

inline double seconds_of(std::int64_t elapsed_ns) {
  return static_cast<double>(elapsed_ns) / static_cast<double>(ns_per_s);
}

/// Fills a tree, and returns the nanoseconds that parsing and inserting alone took.
template <RestoreTree Tree>
std::int64_t populate(Intake<Tree>& intake, const Workload& workload) {
  std::int64_t elapsed_ns = 0;
  workload.source([&](const RowChunk& chunk) {
    const std::int64_t began_ns = now_ns();
    intake.take(chunk.rows());
    elapsed_ns += now_ns() - began_ns;
  });
  return elapsed_ns;
}

/// Whether the tree took all rows; if not, the benchmark ends with an error.
template <RestoreTree Tree>
bool check_all_accepted(benchmark::State& state, const Intake<Tree>& intake) {
  const Rejections& rejected = intake.rejections();
  if (rejected.count() == 0 && intake.rows() > 0) return true;
  const std::string message =
      rejected.count() == 0 ? "the catalogue has no rows" : rejected.first().front().line();
  state.SkipWithError(message.c_str());
  return false;
}

template <RestoreTree Tree>
void bm_populatetree(benchmark::State& state, const Workload& workload) {
  double memory_bytes = 0;
  double grown_bytes = 0;
  double entries = 0;
  std::uint64_t rows = 0;
  const bool has_peak = reset_peak_resident();
  for (auto _ : state) {
    const std::uint64_t before_bytes = resident_bytes();
    Tree tree;
    Intake<Tree> intake(tree);
    state.SetIterationTime(seconds_of(populate(intake, workload)));
    grown_bytes = static_cast<double>(resident_bytes()) - static_cast<double>(before_bytes);
    memory_bytes = static_cast<double>(tree.memory_bytes());
    entries = static_cast<double>(tree.count().entries);
    rows += intake.rows();
    if (!check_all_accepted(state, intake)) return;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(rows));
  state.counters["entries"] = entries;
  state.counters["bytes_per_file"] = memory_bytes / entries;
  state.counters["rss_per_file"] = grown_bytes / entries;
  if (workload.rejected > 0) state.counters["rejected"] = static_cast<double>(workload.rejected);
  if (has_peak) state.counters["peak_rss"] = static_cast<double>(peak_resident_bytes());
}

/// Times one command, in each iteration on a new tree for which `prepare` was called. `work`
/// returns how many entries it processed, which must be at least one.
template <RestoreTree Tree, class Prepare, class Work>
void bm_command(benchmark::State& state, const Workload& workload, Prepare prepare, Work work) {
  std::uint64_t entries = 0;
  for (auto _ : state) {
    Tree tree;
    Intake<Tree> intake(tree);
    populate(intake, workload);
    if (!check_all_accepted(state, intake)) return;
    prepare(tree);
    const std::int64_t began_ns = now_ns();
    std::uint64_t dealt_with = work(tree);
    benchmark::DoNotOptimize(dealt_with);
    state.SetIterationTime(seconds_of(now_ns() - began_ns));
    entries += dealt_with;
    if (dealt_with == 0) state.SkipWithError("the command did nothing");
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(entries));
}

/// `changed`, if that is the number of all entries; else 0, which bm_command() reports as an error.
template <RestoreTree Tree>
std::uint64_t changed_if_all(const Tree& tree, std::uint64_t changed) {
  return changed == tree.count().entries ? changed : 0;
}

template <RestoreTree Tree>
struct Commands {
  static constexpr auto nothing = [](Tree&) {};
  static constexpr auto mark_all = [](Tree& tree) { tree.mark("/*"); };

  static std::uint64_t count(Tree& tree) { return tree.count().entries; }
  static std::uint64_t estimate(Tree& tree) { return tree.estimate().marked; }
  static std::uint64_t bootstrap(Tree& tree) {
    std::uint64_t files = 0;
    for (const BootstrapRange& range : tree.bootstrap()) files += range.last - range.first + 1;
    return files;
  }
  static std::uint64_t find(Tree& tree) {
    std::uint64_t bytes = 0;
    std::uint64_t found = 0;
    tree.find("*7?*", [&](const ListedEntry& entry) {
      bytes += entry.name.size();
      ++found;
    });
    benchmark::DoNotOptimize(bytes);
    // Not 0, because in a recorded catalogue no name may match.
    return std::max<std::uint64_t>(found, 1);
  }
  static std::uint64_t ls(Tree& tree) {
    std::uint64_t listed = 0;
    tree.ls("*", [&](const ListedEntry& entry) { listed += entry.name.empty() ? 0U : 1U; });
    return listed;
  }
  /// Changes into the first subdirectory again and again, until a directory has more than 20
  /// entries or no subdirectory.
  static void enter_some_directory(Tree& tree) {
    for (int depth = 0; depth < 40; ++depth) {
      std::uint64_t entries = 0;
      tree.ls("*", [&](const ListedEntry&) { ++entries; });
      if (entries > 20 || !tree.cd("*")) return;
    }
  }
};

template <RestoreTree Tree>
class Registrar {
 public:
  Registrar(std::string implementation, const Workload& workload)
      : implementation_(std::move(implementation)), workload_(workload) {}

  void add_all() {
    using On = Commands<Tree>;
    add("BM_populatetree",
        [w = workload_](benchmark::State& state) { bm_populatetree<Tree>(state, w); });
    add_command("BM_markallfiles", On::nothing,
                [](Tree& tree) { return changed_if_all(tree, tree.mark("/*")); });
    add_command("BM_unmarkallfiles", On::mark_all,
                [](Tree& tree) { return changed_if_all(tree, tree.unmark("/*")); });
    add_command("BM_count", On::mark_all, On::count);
    add_command("BM_find", On::nothing, On::find);
    add_command("BM_ls", On::enter_some_directory, On::ls);
    add_command("BM_estimate", On::mark_all, On::estimate);
    add_command("BM_bootstrap", On::mark_all, On::bootstrap);
  }

 private:
  template <class Prepare, class Work>
  void add_command(const char* what, Prepare prepare, Work work) {
    add(what, [w = workload_, prepare, work](benchmark::State& state) {
      bm_command<Tree>(state, w, prepare, work);
    });
  }

  template <class Run>
  void add(const char* what, Run run) {
    const std::string name = std::string(what) + "<" + implementation_ + ">/" + workload_.name;
    benchmark::RegisterBenchmark(name.c_str(), std::move(run))
        ->UseManualTime()
        ->Iterations(workload_.iterations)
        ->Unit(benchmark::kMillisecond);
  }

  std::string implementation_;
  Workload workload_;
};

template <RestoreTree Tree>
void register_restore_benchmarks(const std::string& implementation, const Workload& workload) {
  Registrar<Tree>(implementation, workload).add_all();
}

}  // namespace assay::restore
