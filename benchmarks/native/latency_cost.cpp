// What recording a latency costs, and what timing one does. Each round measures every part
// over the same values, so that drift hits all alike; medians of rounds are printed.
//
//   latency_cost [ROUNDS] [--gate]      with --gate, exit 1 when a promise is broken
#include <assay/base/random.hpp>
#include <assay/measure/latency/latency_timing.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::size_t values_each = 1 << 20;
constexpr int timings_each = 20'000;
constexpr double promise_ns = 6;

/// The compiler must take it that everything in memory was read and written here.
void keep_all() {
  asm volatile("" : : : "memory");
}

/// Four decades, 100 ns to 1 ms: each value lands in another bucket than the one before.
std::vector<std::int64_t> latencies() {
  assay::Random random(1729);
  std::vector<std::int64_t> values(values_each);
  for (std::int64_t& value : values) {
    std::uint64_t decade = 100;
    for (std::uint64_t n = random.below(4); n > 0; --n) decade *= 10;
    value = static_cast<std::int64_t>(decade + random.below(9 * decade));
  }
  return values;
}

template <class Work>
double ns_each(double times, Work work) {
  const std::int64_t began_ns = assay::now_ns();
  work();
  keep_all();
  return static_cast<double>(assay::now_ns() - began_ns) / times;
}

double loading(const std::vector<std::int64_t>& values) {
  return ns_each(values_each, [&values] {
    for (std::int64_t value : values) asm volatile("" : "+r"(value));
  });
}

double recording(const std::vector<std::int64_t>& values, assay::LatencyHistogram& into) {
  return ns_each(values_each, [&] {
    for (std::int64_t value : values) {
      asm volatile("" : "+r"(value));
      into.record(value);
    }
  });
}

double timing(assay::LatencyHistogram& into) {
  const assay::TickClock& clock = assay::TickClock::of_this_host();
  return ns_each(timings_each, [&] {
    for (int i = 0; i < timings_each; ++i) {
      const assay::LatencyTiming of_nothing(into, clock);
    }
  });
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Rounds {
  std::vector<double> loading{};
  std::vector<double> recording{};
  std::vector<double> timing{};
  std::int64_t empty_block_ns{0};
};

/// Nothing when not every value arrived: then something else was measured.
bool measure(int rounds, Rounds& found) {
  const std::vector<std::int64_t> values = latencies();
  assay::LatencyHistogram recorded;
  assay::LatencyHistogram timed;
  for (int i = 0; i < rounds; ++i) {
    found.loading.push_back(loading(values));
    found.recording.push_back(recording(values, recorded));
    found.timing.push_back(timing(timed));
  }
  found.empty_block_ns = timed.quantile_ns(0.5);
  const auto all = static_cast<std::uint64_t>(rounds);
  return recorded.total() == all * values_each && timed.total() == all * timings_each;
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 41;
  bool is_gate = false;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--gate") {
      is_gate = true;
    } else {
      rounds = std::max(1, std::atoi(argv[i]));
    }
  }
  Rounds found;
  if (!measure(rounds, found)) {
    std::fputs("error: values were lost\n", stderr);
    return 2;
  }
  const assay::TickClock& clock = assay::TickClock::of_this_host();
  const double record_ns = median(found.recording);
  const bool is_kept = record_ns <= promise_ns;
  std::printf("median of %d rounds of %zu values over four decades; clock %s, %.0f Hz\n", rounds,
              values_each, std::string(clock.source()).c_str(), clock.frequency_hz());
  std::printf("  %s recording a value: %.2f ns (at most %.0f); %.2f more than reading it\n",
              is_kept ? "kept  " : "BROKEN", record_ns, promise_ns,
              record_ns - median(found.loading));
  std::printf("         timing a block and recording it: %.1f ns\n", median(found.timing));
  std::printf("         recorded for an empty block: %lld ns\n",
              static_cast<long long>(found.empty_block_ns));
  return is_kept || !is_gate ? 0 : 1;
}
