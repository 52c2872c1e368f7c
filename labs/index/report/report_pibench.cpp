#include <assay/index/report/report_pibench.hpp>

#include <assay/base/units.hpp>
#include <assay/index/options/option_names.hpp>

#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <sstream>

namespace assay::index {
namespace {

double milliseconds(std::int64_t ns) {
  return static_cast<double>(ns) / ns_per_ms;
}

/// A number as std::ostream prints it by default, with six significant digits.
std::string number_text(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

std::string fixed(double number) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(4) << number;
  return text.str();
}

std::string environment_lines(const Environment& environment) {
  return "Environment:\n\tTime: " + environment.time +
         "\n\tCPU: " + std::to_string(environment.cpus) + " * " + environment.cpu +
         "\n\tCPU Cache: " + environment.cache + "\n\tKernel: " + environment.kernel + "\n";
}

std::string distribution_text(const Access& access) {
  std::string text(name_of(access.distribution));
  for (char& letter : text) letter = static_cast<char>(letter - 'a' + 'A');
  return access.has_skew() ? text + "(" + std::to_string(access.skew) + ")" : text;
}

std::string work_line(const Options& options) {
  if (options.mode == Mode::time) return "\tDuration (s): " + number_text(options.seconds) + "\n";
  return "\t# Operations: " + std::to_string(options.operations) + "\n";
}

std::string threads_line(const Options& options) {
  return "\t# Threads: " + std::to_string(options.threads) + "\n";
}

/// The lines of the options from "Sampling" on, which are the same in both versions of PiBench.
std::string option_lines(const Options& options) {
  const auto ratio = [&](Operation kind) { return number_text(options.ratios[kind]); };
  return "\tSampling: " + std::to_string(options.sampling_ms) +
         " ms\n\tLatency: " + number_text(options.latency_sampling) +
         "\n\tKey prefix: " + options.key.prefix +
         "\n\tKey size: " + std::to_string(options.key.size) +
         "\n\tValue size: " + std::to_string(options.value.size) +
         "\n\tRandom seed: " + std::to_string(options.seed) +
         "\n\tKey distribution: " + distribution_text(options.access) +
         "\n\tScan size: " + std::to_string(options.scans.size) +
         "\n\tOperations ratio:\n\t\tRead: " + ratio(Operation::read) +
         "\n\t\tInsert: " + ratio(Operation::insert) + "\n\t\tUpdate: " + ratio(Operation::update) +
         "\n\t\tDelete: " + ratio(Operation::remove) + "\n\t\tScan: " + ratio(Operation::scan) +
         "\n";
}

std::string load_lines(const RunResult& result) {
  if (result.options.skip_load) return "Load skipped.\nLoad verified; benchmark started.\n";
  return "Loading started.\nLoading finished in " + number_text(milliseconds(result.load_ns)) +
         " milliseconds\nLoad verified; benchmark started.\n";
}

std::string throughput_lines(const RunResult& result) {
  static constexpr std::array<std::pair<const char*, Operation>, 5> kinds{
      {{"Insert", Operation::insert},
       {"Read", Operation::read},
       {"Update", Operation::update},
       {"Remove", Operation::remove},
       {"Scan", Operation::scan}}};
  const auto lines = [&](const std::string& kind, const OperationResult& operations) {
    const bool is_all = kind.empty();
    return "\t- " + kind + (is_all ? "Completed: " : " completed: ") +
           fixed(result.per_second(operations.completed)) + " ops/s\n\t- " + kind +
           (is_all ? "Succeeded: " : " succeeded: ") +
           fixed(result.per_second(operations.succeeded)) + " ops/s\n";
  };
  std::string text = "\tThroughput:\n" + lines("", result.all) + "\tBreakdown:\n";
  for (const auto& [name, kind] : kinds) text += lines(name, result.operations[kind]);
  return text;
}

std::string counter_lines(const RunResult& result) {
  static constexpr std::array<std::pair<const char*, const char*>, 5> names{
      {{"cache-misses", "L3 misses"},
       {"dram-read-bytes", "DRAM Reads (bytes)"},
       {"dram-write-bytes", "DRAM Writes (bytes)"},
       {"pmem-read-bytes", "NVM Reads (bytes)"},
       {"pmem-write-bytes", "NVM Writes (bytes)"}}};
  std::string text;
  for (const auto& [name, title] : names) {
    for (const CounterResult& counter : result.counters) {
      if (counter.name != name || !counter.count) continue;
      text += std::string("\t") + title + ": " +
              std::to_string(static_cast<std::uint64_t>(*counter.count)) + "\n";
    }
  }
  return text.empty() ? "" : "PCM Metrics:\n" + text;
}

std::string sample_lines(const RunResult& result) {
  std::string text = "Samples:\n";
  std::uint64_t before = 0;
  for (const SeriesSample& sample : result.series.samples()) {
    text += "\t" + std::to_string(sample.all() - before) + "\n";
    before = sample.all();
  }
  return text;
}

std::string latency_lines(const RunResult& result) {
  if (!result.all.latencies || result.all.latencies->count == 0) return "";
  const Latencies& all = *result.all.latencies;
  static constexpr std::array<std::pair<const char*, double>, 6> shares{{{"50%", 0.5},
                                                                         {"90%", 0.9},
                                                                         {"99%", 0.99},
                                                                         {"99.9%", 0.999},
                                                                         {"99.99%", 0.9999},
                                                                         {"99.999%", 0.99999}}};
  std::string text = "Latencies (" + std::to_string(all.count) +
                     " operations observed):\n\tmin: " + std::to_string(all.min_ns) + "\n";
  for (const auto& [name, share] : shares) {
    text += std::string("\t") + name + ": " +
            std::to_string(std::min(all.histogram.quantile_ns(share), all.max_ns)) + "\n";
  }
  return text + "\tmax: " + std::to_string(all.max_ns) + "\n";
}

}  // namespace

Environment read_environment() {
  Environment environment;
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string key = line.substr(0, line.find_last_not_of("\t ", colon - 1) + 1);
    const std::string value = colon + 2 < line.size() ? line.substr(colon + 2) : "";
    if (key == "model name") {
      ++environment.cpus;
      environment.cpu = value;
    }
    if (key == "cache size") environment.cache = value;
  }
  utsname system{};
  if (uname(&system) == 0) environment.kernel = std::string(system.sysname) + " " + system.release;
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::array<char, 64> text{};
  std::strftime(text.data(), text.size(), "%a %b %e %T %Y", &local);
  environment.time = text.data();
  return environment;
}

std::string pibench_report(const RunResult& result, const Environment& environment) {
  const Options& options = result.options;
  return environment_lines(environment) + "Benchmark Options:\n\tTarget: " + options.plugin +
         "\n\t# Records: " + std::to_string(options.records) + "\n" + threads_line(options) +
         work_line(options) + option_lines(options) + load_lines(result) +
         "\tRun time: " + fixed(milliseconds(result.elapsed_ns)) +
         " milliseconds\nResults:\n\tOperations: " + std::to_string(result.all.completed) + "\n" +
         throughput_lines(result) + counter_lines(result) + sample_lines(result) +
         latency_lines(result);
}

std::string pibench_v1_report(const RunResult& result, const Environment& environment) {
  const Options& options = result.options;
  return environment_lines(environment) +
         "Benchmark Options:\n\t# Records: " + std::to_string(options.records) + "\n" +
         work_line(options) + threads_line(options) + option_lines(options) +
         "Overview:\n\tLoad time: " + number_text(milliseconds(result.load_ns)) +
         " milliseconds\n\tRun time: " + number_text(milliseconds(result.elapsed_ns)) +
         " milliseconds\n" + counter_lines(result) + sample_lines(result) + latency_lines(result);
}

}  // namespace assay::index
