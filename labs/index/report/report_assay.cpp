#include <assay/index/report/report_assay.hpp>

#include <assay/base/units.hpp>
#include <assay/index/options/option_names.hpp>
#include <assay/index/plugin_library.hpp>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>

namespace assay::index {
namespace {

[[gnu::format(printf, 1, 2)]] std::string printed(const char* format, ...) {
  std::array<char, 512> text{};
  std::va_list values;
  va_start(values, format);
  std::vsnprintf(text.data(), text.size(), format, values);
  va_end(values);
  return text.data();
}

/// The value with three significant digits, in the first unit in which it is below 1000.
std::string in_units(double value, const std::array<const char*, 4>& units) {
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  return printed("%.3g%s", value, units[unit]);
}

/// A count with a decimal prefix, such as "1.23 M" or "456 k".
std::string scaled(double value) {
  return in_units(value, {"", " k", " M", " G"});
}

std::string time_text(double ns) {
  return in_units(ns, {" ns", " us", " ms", " s"});
}

std::string access_text(const Options& options) {
  std::string text(name_of(options.access.distribution));
  return options.access.has_skew() ? text + printed(" %g", options.access.skew) : text;
}

std::string heading(const RunResult& result) {
  const Options& options = result.options;
  return printed("%s: %s records of %llu + %u bytes, %s keys, %u thread%s, seed %llu\n",
                 plugin_name(result.plugin_path).c_str(),
                 scaled(static_cast<double>(options.records)).c_str(),
                 static_cast<unsigned long long>(options.key_bytes()), options.value.size,
                 access_text(options).c_str(), options.threads, options.threads == 1 ? "" : "s",
                 static_cast<unsigned long long>(options.seed));
}

std::string load_line(const RunResult& result) {
  if (result.options.skip_load) return "load skipped\n";
  return printed("loaded %s records in %s, verified in %s, resident %.3g MB\n",
                 scaled(static_cast<double>(result.loaded)).c_str(),
                 time_text(static_cast<double>(result.load_ns)).c_str(),
                 time_text(static_cast<double>(result.verify_ns)).c_str(),
                 static_cast<double>(result.loaded_rss_bytes) / 1e6);
}

std::string row(const std::string& name, const RunResult& result,
                const OperationResult& operations) {
  const auto completed = static_cast<double>(operations.completed);
  const double succeeded =
      completed > 0 ? 100 * static_cast<double>(operations.succeeded) / completed : 0;
  std::string line = printed("%-18s %12llu %9.4g%% %12s", name.c_str(),
                             static_cast<unsigned long long>(operations.completed), succeeded,
                             (scaled(result.per_second(operations.completed)) + "/s").c_str());
  if (operations.latencies && operations.latencies->count > 0) {
    const Latencies& latencies = *operations.latencies;
    for (const double share : {0.5, 0.99, 0.999}) {
      const auto ns = std::min(latencies.histogram.quantile_ns(share), latencies.max_ns);
      line += printed(" %9s", time_text(static_cast<double>(ns)).c_str());
    }
    line += printed(" %9s", time_text(static_cast<double>(latencies.max_ns)).c_str());
  }
  return line + "\n";
}

std::string table(const RunResult& result) {
  std::string text =
      printed("%-18s %12s %10s %12s", "operation", "completed", "succeeded", "throughput");
  if (result.all.latencies) text += printed(" %9s %9s %9s %9s", "p50", "p99", "p99.9", "max");
  text += "\n";
  for (const Operation kind : all_operations) {
    if (!result.options.has(kind)) continue;
    text += row(std::string(name_of(kind)), result, result.operations[kind]);
  }
  return text + row("all", result, result.all);
}

std::string cost_line(const RunResult& result) {
  const double each_ns = result.all.completed > 0
                             ? static_cast<double>(result.elapsed_ns) * result.options.threads /
                                   static_cast<double>(result.all.completed)
                             : 0;
  const double share = each_ns > 0 ? 100 * result.driver_ns / each_ns : 0;
  std::string text = "ran for " + time_text(static_cast<double>(result.elapsed_ns)) +
                     "; an operation took a thread " + time_text(each_ns) +
                     ", of which the driver " + time_text(result.driver_ns);
  if (result.options.open_loop.rate <= 0) text += printed(" (%.2g %%)", std::min(share, 100.0));
  return text + "\n";
}

std::string counter_lines(const RunResult& result) {
  std::string text;
  std::string missing;
  for (const CounterResult& counter : result.counters) {
    if (counter.count && result.all.completed > 0) {
      const double each = *counter.count / static_cast<double>(result.all.completed);
      text += printed("%s an operation: %.4g\n", counter.name.c_str(), each);
    } else {
      missing += (missing.empty() ? "" : ", ") + counter.name;
    }
  }
  return missing.empty() ? text : text + "not counted on this host: " + missing + "\n";
}

}  // namespace

std::string assay_report(const RunResult& result) {
  std::string text = heading(result) + load_line(result);
  if (!result.has_run) return text;
  text += "\n" + table(result) + "\n" + cost_line(result) + counter_lines(result);
  if (!result.scan_order.empty()) text += "scans were in the order of " + result.scan_order + "\n";
  if (result.options.verify && !result.failure) {
    text += printed("verified: it holds the %llu records that the operations imply\n",
                    static_cast<unsigned long long>(result.verified_records));
  }
  return text;
}

}  // namespace assay::index
