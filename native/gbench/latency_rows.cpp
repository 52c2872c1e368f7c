#include <assay/gbench/latency_rows.hpp>

#include <assay/measure/latency/hdr_encoding.hpp>

#include <cmath>
#include <utility>

namespace assay {
namespace {

constexpr std::string_view id_start = "assay_histogram:";

}  // namespace

void LatencyRows::open() {
  const std::lock_guard lock(mutex_);
  is_open_ = true;
}

void LatencyRows::pause() {
  const std::lock_guard lock(mutex_);
  is_paused_ = true;
}

void LatencyRows::resume() {
  const std::lock_guard lock(mutex_);
  is_paused_ = false;
}

void LatencyRows::arrive(std::string_view name) {
  const std::lock_guard lock(mutex_);
  if (is_paused_) return;
  ++runs_.try_emplace(std::string(name)).first->second.present;
}

std::optional<WholeLatency> LatencyRows::leave(std::string_view name,
                                               const LatencyHistogram& histogram) {
  const std::lock_guard lock(mutex_);
  const auto run = runs_.find(name);
  if (is_paused_ || run == runs_.end()) return std::nullopt;
  run->second.histogram.merge(histogram);
  if (--run->second.present > 0) return std::nullopt;

  const LatencyHistogram whole = std::move(run->second.histogram);
  runs_.erase(run);
  if (whole.empty()) return std::nullopt;
  return WholeLatency{.histogram = whole, .id = keep(whole)};
}

std::optional<std::size_t> LatencyRows::keep(const LatencyHistogram& histogram) {
  if (!is_open_) return std::nullopt;
  rows_.push_back({.encoded = encode_hdr(histogram),
                   .clamped_below = histogram.clamped_below(),
                   .clamped_above = histogram.clamped_above()});
  return rows_.size() - 1;
}

std::string LatencyRows::id_name(std::string_view name) {
  return std::string(id_start) + std::string(name);
}

bool LatencyRows::is_id(std::string_view counter) {
  return counter.starts_with(id_start);
}

std::map<std::string, LatencyRow> LatencyRows::of(
    const std::map<std::string, double>& counters) const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, LatencyRow> found;
  for (const auto& [counter, id] : counters) {
    const bool is_ours =
        is_id(counter) && id >= 0 && id == std::floor(id) && id < static_cast<double>(rows_.size());
    if (!is_ours) continue;
    found[counter.substr(id_start.size())] = rows_[static_cast<std::size_t>(id)];
  }
  return found;
}

}  // namespace assay
