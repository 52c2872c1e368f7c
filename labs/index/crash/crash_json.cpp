#include <assay/index/crash/crash_report.hpp>

#include <assay/index/crash/promise.hpp>
#include <assay/record/lab_document.hpp>

#include <numeric>

namespace assay::index::crash {
namespace {

using nlohmann::ordered_json;

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

ordered_json row_of(const CrashPlan& plan, const CrashTitle& title, const CrashResult& result) {
  const std::string name = "crash/" + title.plugin + "/reopen";
  ordered_json row = {{"name", name},
                      {"run_name", name},
                      {"run_type", "iteration"},
                      {"repetitions", 1},
                      {"repetition_index", 0},
                      {"threads", 1},
                      {"iterations", result.verified.size()}};
  if (result.verified.empty()) {
    row["error_occurred"] = true;
    row["error_message"] = result.messages.empty() ? "interrupted" : result.messages.front();
    return row;
  }
  const auto real_ms = result.times_ms(&Findings::reopen_ns);
  const auto cpu_ms = result.times_ms(&Findings::reopen_cpu_ns);
  row["real_time"] = mean(real_ms);
  row["cpu_time"] = mean(cpu_ms);
  row["time_unit"] = "ms";
  row["label"] = "promise: " + name_of(title.promise) + "; " + std::to_string(plan.threads) +
                 " writing threads";
  row["kills"] = result.kills();
  row["lost"] = result.lost();
  for (const FindingsCount& one : findings_counts) row[one.name] = result.sum(one.count);
  row["not_verified"] = result.not_verified;
  row["assay"] = {{"samples", {{"real_time", real_ms}, {"cpu_time", cpu_ms}}}};
  return row;
}

}  // namespace

ordered_json document_of(const CrashPlan& plan, const CrashTitle& title, const CrashResult& result,
                         const BuildFacts& build) {
  LabContext context{.executable = "assay-crash", .build = build};
  context.own["seed"] = plan.seed;
  context.own["targets"] = {{"target", title.plugin}};
  if (result.interrupted_by != 0) context.own["interrupted"] = true;
  return lab_document(context, ordered_json::array({row_of(plan, title, result)}));
}

}  // namespace assay::index::crash
