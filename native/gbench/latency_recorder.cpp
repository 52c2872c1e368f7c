#include <assay/gbench/latency_recorder.hpp>

#include <assay/gbench/latency_rows.hpp>
#include <assay/gbench/session.hpp>

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace assay {
namespace {

using namespace std::string_view_literals;

constexpr std::array quantiles{std::pair{"p50", 0.5},       std::pair{"p90", 0.9},
                               std::pair{"p99", 0.99},      std::pair{"p99.9", 0.999},
                               std::pair{"p99.99", 0.9999}, std::pair{"p99.999", 0.99999}};

/// What is appended to the counters' names ("p50_NAME"): nothing for the usual name "latency".
std::string suffix_of(std::string_view name) {
  return name == "latency"sv ? "" : "_" + std::string(name);
}

void set_counters(benchmark::UserCounters& counters, std::string_view name,
                  const WholeLatency& whole) {
  const std::string suffix = suffix_of(name);
  for (const auto& [quantile, share] : quantiles) {
    counters[quantile + suffix] = static_cast<double>(whole.histogram.quantile_ns(share));
  }
  counters[suffix.empty() ? "max" : "max_latency" + suffix] =
      static_cast<double>(whole.histogram.max_ns());
  if (whole.id) {
    counters[LatencyRows::id_name(name)] = static_cast<double>(*whole.id);
  }
}

}  // namespace

LatencyRecorder::LatencyRecorder(benchmark::State& state, const char* name)
    : state_(state), name_(name), clock_(TickClock::of_this_host()) {
  session().latency_rows.arrive(name_);
}

// The library sums counters over threads, so only the last thread to leave sets any.
LatencyRecorder::~LatencyRecorder() {
  const auto whole = session().latency_rows.leave(name_, histogram_);
  if (whole) set_counters(state_.counters, name_, *whole);
}

}  // namespace assay
