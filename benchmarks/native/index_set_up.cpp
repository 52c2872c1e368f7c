// Prints how long it takes to set up Zipfian keys over 1e9 records, in ms: the median of many.
#include <assay/index/workload/decreasing_sampler.hpp>
#include <assay/system/clock.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

int main() {
  std::array<double, 101> times_ms{};
  std::uint64_t drawn = 0;
  for (double& time_ms : times_ms) {
    const std::int64_t began_ns = assay::now_ns();
    const auto sampler = assay::index::DecreasingSampler::zipfian(1'000'000'000, 0.99);
    time_ms = static_cast<double>(assay::now_ns() - began_ns) / 1e6;
    assay::index::FastRandom random(drawn);
    drawn += sampler.draw(random);  // so that the set-up cannot be left out
  }
  std::nth_element(times_ms.begin(), times_ms.begin() + 50, times_ms.end());
  std::printf("%.4f\n", times_ms[50]);
  return drawn == 0 ? 1 : 0;
}
