// The examples of native/measure/counters, line for line (tools/header_examples.py).
#include <assay/measure/counters/counter_arithmetic.hpp>
#include <assay/measure/counters/counter_event.hpp>
#include <assay/measure/counters/memory_traffic.hpp>
#include <assay/measure/counters/perf_group.hpp>
#include <assay/measure/counters/perf_open.hpp>
#include <assay/measure/counters/uncore.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace assay {
namespace {

void work() {}

TEST(HeaderExamples, CounterArithmetic) {
  double used = 0;
  const auto use = [&](double count) { used = count; };

  const assay::CounterReading taken{.value = 40, .enabled_ns = 100, .running_ns = 50};
  if (const auto count = assay::scaled(taken)) use(*count);  // 80

  EXPECT_EQ(used, 80);
}

TEST(HeaderExamples, CounterEvent) {
  assay::Result<assay::CounterEvent> event = assay::counter_event("instructions:u");

  ASSERT_TRUE(event);
  EXPECT_FALSE(event->in_kernel);
}

TEST(HeaderExamples, MemoryTraffic) {
  std::size_t counted = 0;
  const auto print = [&](const std::string& /*name*/, double /*count*/) { ++counted; };

  assay::MemoryTraffic traffic({"dram-read-bytes", "dram-write-bytes"});
  traffic.start();
  work();
  traffic.stop();
  for (const auto& c : traffic.read()) {
    if (c.count) print(c.name, *c.count);  // else traffic.unavailable() says why not
  }

  EXPECT_GE(counted + traffic.unavailable().size(), 2U);
}

std::vector<std::string> printed;
void print(const std::string& line) {
  printed.push_back(line);
}
void print(const std::string& name, double /*count*/) {
  printed.push_back(name);
}

TEST(HeaderExamples, PerfGroup) {
  assay::PerfGroup counters({"cycles", "instructions", "page-faults"});
  counters.start();
  work();
  counters.stop();
  for (const auto& c : counters.read()) {
    if (c.count) print(c.name, *c.count);
  }
  for (const auto& line : counters.unavailable()) print(line);  // "cycles: why not"

  EXPECT_EQ(printed.size(), 3U);
}

TEST(HeaderExamples, PerfOpen) {
  const CounterEvent event = *counter_event("cycles");

  auto file = assay::perf_open(event, {.cpu = 0, .pid = -1});

  EXPECT_TRUE(file || !file.error().line().empty());
}

Status uncore_example(int& opened) {
  const auto open = [&](const CounterEvent& /*event*/, int /*cpu*/) { ++opened; };

  const auto events = assay::memory_events();
  if (!events) return events.error();
  for (const auto& event : *events) open(event.event, event.cpu);
  return {};
}

TEST(HeaderExamples, Uncore) {
  int opened = 0;
  EXPECT_EQ(uncore_example(opened).ok(), opened > 0);
}

}  // namespace
}  // namespace assay
