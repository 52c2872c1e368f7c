#include <assay/primitives/measured.hpp>

#include <assay/measure/allocations/allocation_status.hpp>

#include <benchmark/benchmark.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>

namespace assay::primitives {
namespace {

void copy_two(benchmark::State& state) {
  Measured measured(state);
  for (auto _ : state) {
    auto block = std::make_unique<std::uint64_t>(1);
    benchmark::DoNotOptimize(block.get());
  }
  measured.done({.items = 2, .bytes = 16});
}

double value_in(const std::string& json, const std::string& key) {
  const auto at = json.find("\"" + key + "\": ");
  if (at == std::string::npos) return -1;
  return std::stod(json.substr(at + key.size() + 4));
}

TEST(Measured, ReportsItemsBytesAndAllocationsOfEachIteration) {
  benchmark::RegisterBenchmark("copy_two", copy_two)->Iterations(1'000);
  std::ostringstream out;
  benchmark::JSONReporter reporter;
  reporter.SetOutputStream(&out);
  benchmark::RunSpecifiedBenchmarks(&reporter, nullptr, ".");
  benchmark::ClearRegisteredBenchmarks();
  const std::string json = out.str();
  const double items = value_in(json, "items_per_second");
  EXPECT_GT(items, 0) << json;
  EXPECT_NEAR(value_in(json, "bytes_per_second") / items, 8.0, 1e-6);
  if (!allocation_status().counted) GTEST_SKIP() << allocation_status().reason;
  EXPECT_EQ(value_in(json, "CallsToAlloc"), 1.0) << json;
  EXPECT_EQ(value_in(json, "CallsToFree"), 1.0) << json;
}

}  // namespace
}  // namespace assay::primitives
