// What the headers of 1.0 offer besides benchmarks, used once each. Ends with 0 if all of it works.
#include <assay/base/random.hpp>
#include <assay/base/result.hpp>
#include <assay/base/units.hpp>
#include <assay/measure/allocations/allocation_meter.hpp>
#include <assay/measure/allocations/allocation_scope.hpp>
#include <assay/measure/allocations/allocation_status.hpp>
#include <assay/measure/allocations/allocator_functions.hpp>
#include <assay/measure/allocations/peak_scope.hpp>
#include <assay/measure/counters/counter_arithmetic.hpp>
#include <assay/measure/counters/memory_traffic.hpp>
#include <assay/measure/counters/perf_group.hpp>
#include <assay/measure/latency/hdr_encoding.hpp>
#include <assay/measure/latency/latency_timing.hpp>
#include <assay/measure/latency/pacing.hpp>
#include <assay/record/build_facts.hpp>
#include <assay/system/clock.hpp>
#include <assay/system/file_descriptor.hpp>
#include <assay/system/page_allocator.hpp>
#include <assay/system/tick_clock.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace {

int failed = 0;

void check(bool holds, const char* what) {
  if (holds) return;
  std::printf("not so: %s\n", what);
  ++failed;
}

assay::Result<int> half(int number) {
  if (number % 2 != 0) return assay::Error{.what = "is odd", .where = "half", .hint = "double it"};
  return number / 2;
}

void base() {
  check(half(4).ok() && *half(4) == 2 && half(4).value() == 2, "a result has its value");
  check(!half(3) && half(3).value_or(7) == 7, "an error has none");
  check(half(3).error().line().find("is odd") != std::string::npos, "an error says what");
  check(assay::Status().ok() && !assay::Status(half(3).error()), "a status is good or an error");
  check(!assay::system_error("open", 2, "x").what.empty(), "an error of the system has words");
  assay::Random random(17);
  assay::Random other = random.split();
  check(random.below(10) < 10 && other.unit() < 1.0 && random() != random(), "numbers are random");
  check(assay::SplitMix(1).next() != 0, "and of a seed");
  check(assay::ns_per_s == 1'000 * assay::ns_per_ms && assay::ns_per_us == 1'000, "units of time");
  check(assay::bytes_per_gib == 1024 * assay::bytes_per_mib && assay::bytes_per_kib == 1024,
        "bytes");
}

void clocks() {
  const assay::TickClock& clock = assay::TickClock::of_this_host();
  const std::uint64_t begun = clock.begin();
  check(clock.ns_between(begun, clock.end()) >= 0 && clock.now_ns() > 0, "time goes on");
  check(clock.frequency_hz() > 0 && !clock.source().empty(), "a clock says what it is");
  check(assay::now_ns() <= assay::now_ns(), "so does the other");
  check(assay::measure_clock(assay::now_ns).resolution_ns > 0, "a clock has a resolution");
  check(assay::FileDescriptor().number() < 0 && !assay::FileDescriptor(), "no file is no file");
  std::vector<int, assay::PageAllocator<int>> pages(3, 1);
  check(pages[2] == 1, "pages hold values");
}

void allocations() {
  const assay::AllocationScope scope;
  assay::AllocationMeter meter;
  {
    assay::AllocationMeter::Part part = meter.part();
    std::vector<char> bytes(100);
    check(bytes.size() == 100, "memory");
  }
  const assay::AllocationTally taken = scope.taken() - assay::AllocationTally();
  const assay::AllocationStatus& status = assay::allocation_status();
  check(status.counted ? taken.allocs >= 1 && meter.taken().allocs >= 1 : !status.reason.empty(),
        "allocations are counted, or it is said why not");
  check(taken.leaked_bytes() <= 1'000'000 && taken.freed_bytes() >= 0, "and bytes");
  const assay::PeakScope peak;
  check(peak.peak_bytes() >= 0 && peak.size_classes().size() == 65, "a peak");
  assay::hooks::free(assay::hooks::realloc(assay::hooks::malloc(10), 20));
}

void latencies() {
  assay::LatencyHistogram histogram;
  histogram.record(1'203);
  { const assay::LatencyTiming timing(histogram); }
  check(histogram.total() == 2 && !histogram.empty() && histogram.max_ns() >= 1'203, "latencies");
  check(histogram.quantile_ns(1.0) >= histogram.quantile_ns(0.0), "their quantiles");
  const auto again = assay::decode_hdr(assay::encode_hdr(histogram));
  check(again && again->total() == 2, "as text and back");
  assay::LatencyHistogram both;
  both.merge(histogram);
  check(both.counts().size() == assay::LatencyHistogram::buckets, "merged");
  std::int64_t at = 0;
  assay::Pacer pacer(
      assay::Arrivals::fixed(1e6),
      {.now_ns = [&] { return at; }, .wait_until_ns = [&](std::int64_t to) { at = to; }});
  check(pacer.wait() >= 0 && assay::Arrivals::poisson(1e6, 7).next_ns() >= 0, "paced");
}

void counters() {
  assay::PerfGroup group({"page-faults", "no such event"}, assay::PerfGroup::Covers::this_thread);
  group.start();
  group.stop();
  check(group.read().size() + group.unavailable().size() >= 2,
        "counters are read, or it is said why not");
  assay::MemoryTraffic traffic({});
  traffic.start();
  traffic.stop();
  check(traffic.read().empty() || traffic.unavailable().empty(), "traffic, too");
  const assay::CounterReading half{.value = 10, .enabled_ns = 100, .running_ns = 50};
  check(assay::scaled(half) == 20.0 && assay::running_share(half) == 0.5, "counts are scaled");
}

}  // namespace

int main() {
  base();
  clocks();
  allocations();
  latencies();
  counters();
  return failed == 0 ? 0 : 1;
}
