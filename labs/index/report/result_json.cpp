#include <assay/index/report/result_json.hpp>

#include <assay/base/units.hpp>
#include <assay/index/options/option_names.hpp>
#include <assay/index/plugin_library.hpp>
#include <assay/measure/latency/hdr_encoding.hpp>
#include <assay/record/json_row.hpp>
#include <assay/record/lab_document.hpp>

#include <string>

namespace assay::index {
namespace {

using nlohmann::ordered_json;

double seconds(std::int64_t ns) {
  return static_cast<double>(ns) / ns_per_s;
}

ordered_json ratios_object(const Options& options) {
  ordered_json ratios = ordered_json::object();
  for (const Operation kind : all_operations) {
    if (options.has(kind)) ratios[std::string(name_of(kind))] = options.ratios[kind];
  }
  return ratios;
}

ordered_json workload_object(const RunResult& result) {
  const Options& options = result.options;
  ordered_json object{{"plugin", plugin_name(result.plugin_path)},
                      {"path", result.plugin_path},
                      {"records", options.records},
                      {"operations", options.operations},
                      {"threads", options.threads},
                      {"mode", name_of(options.mode)},
                      {"seconds", options.seconds},
                      {"workload", options.workload},
                      {"ratios", ratios_object(options)},
                      {"distribution", name_of(options.access.distribution)},
                      {"skew", options.access.skew},
                      {"hot_share", options.access.hot_share},
                      {"key_size", options.key.size},
                      {"key_prefix", options.key.prefix},
                      {"key_order", name_of(options.key.order)},
                      {"key_file", options.key.file},
                      {"value_size", options.value.size},
                      {"value_sizes", name_of(options.value.spread)},
                      {"value_size_min", options.value.smallest},
                      {"scan_size", options.scans.size},
                      {"scan_lengths", name_of(options.scans.spread)},
                      {"rate", options.open_loop.rate},
                      {"arrivals", name_of(options.open_loop.arrival)},
                      {"sampling_ms", options.sampling_ms},
                      {"latency_sampling", options.latency_sampling},
                      {"pool_path", options.pool.path},
                      {"pool_size", options.pool.size_bytes},
                      {"skip_load", options.skip_load},
                      {"verify", options.verify}};
  return object;
}

ordered_json index_object(const RunResult& result) {
  ordered_json object = workload_object(result);
  object["driver_ns_per_operation"] = result.driver_ns;
  object["open_s"] = seconds(result.open_ns);
  object["load_s"] = seconds(result.load_ns);
  object["load_verify_s"] = seconds(result.verify_ns);
  object["loaded_records"] = result.loaded;
  object["run_s"] = seconds(result.elapsed_ns);
  object["loaded_rss_bytes"] = result.loaded_rss_bytes;
  object["peak_rss_bytes"] = result.peak_rss_bytes;
  if (!result.scan_order.empty()) object["scan_order"] = result.scan_order;
  if (!result.warning.empty()) object["plugin_warning"] = result.warning;
  if (result.options.verify && !result.failure) {
    object["verified_records"] = result.verified_records;
  }
  return object;
}

void put_percentiles(ordered_json& row, const Latencies& latencies) {
  static constexpr std::array<std::pair<const char*, double>, 6> shares{{{"p50", 0.5},
                                                                         {"p90", 0.9},
                                                                         {"p99", 0.99},
                                                                         {"p99.9", 0.999},
                                                                         {"p99.99", 0.9999},
                                                                         {"p99.999", 0.99999}}};
  if (latencies.count == 0) return;
  for (const auto& [name, share] : shares) {
    row[name] = std::min(latencies.histogram.quantile_ns(share), latencies.max_ns);
  }
  row["max"] = latencies.max_ns;
  row["latency_mean"] = latencies.mean_ns;
  row["latency_min"] = latencies.min_ns;
  row["latencies"] = latencies.count;
  put_latencies(row, {{"latency",
                       {.encoded = encode_hdr(latencies.histogram),
                        .clamped_below = latencies.clamped_below,
                        .clamped_above = latencies.clamped_above}}});
}

/// Throughput between successive samples, each at the time of the later sample.
ordered_json throughput(const Series& series, const auto& count_of) {
  ordered_json t = ordered_json::array();
  ordered_json v = ordered_json::array();
  SeriesSample before;
  for (const SeriesSample& sample : series.samples()) {
    const double took_s = seconds(sample.at_ns - before.at_ns);
    if (took_s <= 0) continue;
    t.push_back(seconds(sample.at_ns));
    v.push_back(static_cast<double>(count_of(sample) - count_of(before)) / took_s);
    before = sample;
  }
  return {{"t", std::move(t)}, {"v", std::move(v)}, {"units", {"s", "1/s"}}};
}

void put_counters(ordered_json& row, const RunResult& result) {
  const auto operations = static_cast<double>(result.all.completed);
  for (const CounterResult& counter : result.counters) {
    if (counter.count && operations > 0) {
      row[counter.name] = *counter.count / operations;
    } else {
      row["assay"]["unavailable"].push_back(counter.reason.empty() ? counter.name + ": not counted"
                                                                   : counter.reason);
    }
  }
}

ordered_json row_of(const RunResult& result, const std::string& kind,
                    const OperationResult& operations, double cpu_ns) {
  const auto count = static_cast<double>(operations.completed);
  const std::string name = row_name(result, kind);
  ordered_json row{{"name", name},
                   {"run_name", name},
                   {"run_type", "iteration"},
                   {"repetitions", 1},
                   {"repetition_index", 0},
                   {"threads", result.options.threads},
                   {"iterations", operations.completed}};
  if (operations.completed > 0) {
    row["real_time"] = static_cast<double>(result.elapsed_ns) / count;
    row["cpu_time"] = cpu_ns / count;
  }
  row["time_unit"] = "ns";
  row["items_per_second"] = result.per_second(operations.completed);
  row["succeeded_per_second"] = result.per_second(operations.succeeded);
  row["succeeded"] = operations.succeeded;
  row["assay"] = ordered_json::object();
  if (operations.latencies) put_percentiles(row, *operations.latencies);
  return row;
}

void put_error(ordered_json& row, const RunResult& result) {
  const bool did_nothing = row["iterations"] == 0;
  if (!did_nothing) return;
  row["error_occurred"] = true;
  row["error_message"] = result.failure ? result.failure->what : "no operation was completed";
}

/// The CPU time of one kind of operation. It is measured for threads only, so each kind gets a
/// share in proportion to its number of operations.
double cpu_share(const RunResult& result, const OperationResult& of_kind) {
  if (result.all.completed == 0) return 0;
  return static_cast<double>(result.cpu_ns) * static_cast<double>(of_kind.completed) /
         static_cast<double>(result.all.completed);
}

ordered_json rows_of(const RunResult& result) {
  ordered_json rows = ordered_json::array();
  for (const Operation kind : all_operations) {
    if (!result.options.has(kind)) continue;
    const OperationResult& of_kind = result.operations[kind];
    ordered_json row =
        row_of(result, std::string(name_of(kind)), of_kind, cpu_share(result, of_kind));
    row["assay"]["series"]["throughput"] = throughput(
        result.series, [kind](const SeriesSample& sample) { return sample.completed[kind]; });
    put_error(row, result);
    rows.push_back(std::move(row));
  }
  ordered_json all = row_of(result, "all", result.all, static_cast<double>(result.cpu_ns));
  all["assay"]["series"]["throughput"] =
      throughput(result.series, [](const SeriesSample& sample) { return sample.all(); });
  put_counters(all, result);
  put_error(all, result);
  rows.push_back(std::move(all));
  return rows;
}

}  // namespace

std::string row_name(const RunResult& result, const std::string& kind) {
  const std::string& label = result.options.outputs.label;
  return (label.empty() ? plugin_name(result.plugin_path) : label) + "/" + kind;
}

ordered_json to_document(const RunResult& result) {
  LabContext context{.executable = "assay-index", .build = ASSAY_BUILD_FACTS};
  ordered_json& own = context.own;
  own["seed"] = result.options.seed;
  own["index"] = index_object(result);
  if (result.interrupted_by != 0 || result.failure) own["interrupted"] = true;
  if (result.failure) {
    own["failures"] = ordered_json::array(
        {{{"benchmark", row_name(result, "all")}, {"what", result.failure->what}}});
  }
  return lab_document(context, rows_of(result));
}

}  // namespace assay::index
