// Purpose: everything a run of the index lab was asked for.
//
//   Options asked{.plugin = "stlmap", .threads = 4};
//   asked.ratios[Operation::read] = 1;
//
// Names and meanings are PiBench's where it has them; command_line.hpp parses them.
// Thread safety: a value that nobody changes once it is parsed. Cost: none.
#pragma once

#include <assay/index/options/operation.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace assay::index {

enum class Distribution : std::uint8_t {
  uniform,
  zipfian,
  self_similar,
  latest,
  hotspot,
  sequential
};
enum class KeyOrder : std::uint8_t { hashed, ordered };
// Distribution of value sizes or scan lengths.
enum class Spread : std::uint8_t { fixed, uniform, zipfian };
enum class Mode : std::uint8_t { operation, time };
enum class Arrival : std::uint8_t { fixed, poisson };
enum class Report : std::uint8_t { assay, pibench, pibench_v1, none };

struct KeyOptions {
  std::string prefix{};
  std::uint32_t size{8};  // in bytes, without the prefix
  KeyOrder order{KeyOrder::hashed};
  std::string file{};  // a file with one key a line; empty: keys are generated
};

struct ValueOptions {
  std::uint32_t size{8};  // in bytes; the largest size, where sizes differ
  std::uint32_t smallest{1};
  Spread spread{Spread::fixed};
};

struct Access {
  Distribution distribution{Distribution::uniform};
  double skew{0};
  double hot_share{0.8};  // share of operations that use the hot keys

  [[nodiscard]] bool has_skew() const {
    return distribution != Distribution::uniform && distribution != Distribution::sequential;
  }
};

struct Scans {
  std::uint32_t size{100};
  Spread spread{Spread::fixed};
  bool checked{true};
};

struct OpenLoop {
  // Operations a second of all threads together; 0: no fixed rate, each follows at once.
  double rate{0};
  Arrival arrival{Arrival::fixed};
};

struct Pool {
  std::string path{};
  std::uint64_t size_bytes{0};
};

struct Outputs {
  std::string json{};  // empty: none; "-": standard output
  std::string hdr_log{};
  Report report{Report::assay};
  std::string label{};
};

struct Options {
  std::string plugin{};
  std::uint64_t records{1'000'000};
  std::uint64_t operations{1'000'000};
  std::uint32_t threads{1};
  KeyOptions key{};
  ValueOptions value{};
  PerOperation<double> ratios{};
  Access access{};
  Scans scans{};
  OpenLoop open_loop{};
  Mode mode{Mode::operation};
  double seconds{20};
  std::uint32_t sampling_ms{1000};
  double latency_sampling{0};
  std::uint64_t seed{1729};
  Pool pool{};
  bool skip_load{false};
  bool verify{false};
  bool pcm{true};
  double timeout_s{60};
  std::string workload{};  // name of the YCSB preset, if one was given
  Outputs outputs{};

  [[nodiscard]] std::uint64_t key_bytes() const { return key.prefix.size() + key.size; }
  [[nodiscard]] bool has(Operation kind) const { return ratios[kind] > 0; }
};

}  // namespace assay::index
