// The restore suite: benchmarks of trees behind a backup's restore browser.
#include <assay/restore/compact/compact_tree.hpp>
#include <assay/restore/recorded_workload.hpp>
#include <assay/restore/restore_benchmarks.hpp>
#include <assay/restore/restore_options.hpp>
#include <assay/restore/tree/map_tree.hpp>

#include <cstdlib>
#include <iostream>
#include <optional>

namespace assay::restore {
namespace {

constexpr std::uint64_t small = 100'000;
constexpr std::uint64_t medium = 1'000'000;
constexpr std::uint64_t large = 10'000'000;
constexpr std::uint64_t largest = 100'000'000;

/// The largest number of files for MapTree. It takes 300 bytes and up to 2 us a file: each of its
/// benchmarks with 10 million files would take half a minute.
constexpr std::uint64_t most_for_the_map = medium;

void add(const Workload& workload) {
  register_restore_benchmarks<CompactTree>("CompactTree", workload);
  if (workload.files <= most_for_the_map) register_restore_benchmarks<MapTree>("MapTree", workload);
}

void add(const CatalogueSpec& spec) {
  add(synthetic_workload(spec));
}

void add_shapes(std::uint64_t files, std::uint64_t seed) {
  using enum NameOrder;
  add({Shape::nested, numeric, files, seed});
  add({Shape::nested, shuffled, files, seed});
  add({Shape::nested, reversed, files, seed});
  add({Shape::home, shuffled, files, seed});
  add({Shape::mail, shuffled, files, seed});
  add({Shape::source, shuffled, files, seed});
}

Status add_recorded(const std::string& path, RecordFormat format) {
  if (path.empty()) return {};
  const Result<Workload> workload = recorded_workload(path, format);
  if (!workload) return workload.error();
  add(*workload);
  return {};
}

void add_synthetic(const RestoreOptions& options) {
  for (const std::uint64_t files : {small, medium, large}) add_shapes(files, options.seed);
  if (options.largest == Largest::usual) return;
  add({Shape::nested, NameOrder::numeric, largest, options.seed});
  add({Shape::nested, NameOrder::shuffled, largest, options.seed});
}

int print_error(const Error& error) {
  std::cerr << "error: " << error.line() << '\n';
  return 2;
}

int run(std::vector<std::string> arguments) {
  const Result<RestoreOptions> options = take_restore_options(arguments);
  if (!options) return print_error(options.error());
  add_synthetic(*options);
  for (const auto& [path, format] : {std::pair(options->csv_path, RecordFormat::csv),
                                     std::pair(options->listing_path, RecordFormat::listing)}) {
    if (const Status done = add_recorded(path, format); !done) return print_error(done.error());
  }
  // Without Google Benchmark's memory pass, which would build every tree once more. Trees report
  // their memory themselves.
  setenv("ASSAY_MEMORY_PASS", "off", 0);
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  const int count = static_cast<int>(arguments.size());
  return run_benchmarks(count, pointers.data(), ASSAY_BUILD_FACTS);
}

}  // namespace
}  // namespace assay::restore

int main(int argc, char** argv) {
  return assay::restore::run(std::vector<std::string>(argv, argv + argc));
}
