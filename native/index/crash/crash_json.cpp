#include <assay/index/crash/crash_report.hpp>

#include <assay/index/crash/promise.hpp>

#include <unistd.h>

#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace assay::index::crash {
namespace {

using nlohmann::ordered_json;

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::string now_as_text() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 40> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S+00:00", &parts);
  return text.data();
}

ordered_json context_of(const CrashPlan& plan, const CrashTitle& title, const CrashResult& result,
                        const Facts& facts) {
  ordered_json context = {{"date", now_as_text()},
                          {"executable", "assay-crash"},
                          {"num_cpus", facts.host.cpus.value_or(0)}};
  ordered_json assay = json_context(facts);
  assay["seed"] = plan.seed;
  assay["targets"] = {{"target", title.plugin}};
  if (result.interrupted_by != 0) assay["interrupted"] = true;
  context["assay"] = std::move(assay);
  return context;
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

nlohmann::ordered_json json_of(const CrashPlan& plan, const CrashTitle& title,
                               const CrashResult& result, const Facts& facts) {
  return {{"context", context_of(plan, title, result, facts)},
          {"benchmarks", ordered_json::array({row_of(plan, title, result)})}};
}

std::optional<Error> write_file(const std::string& path, const std::string& text) {
  const std::string unfinished = path + ".unfinished-" + std::to_string(getpid());
  std::ofstream file(unfinished);
  file << text;
  file.close();
  std::error_code failed;
  if (file) std::filesystem::rename(unfinished, path, failed);
  if (file && !failed) return std::nullopt;
  const std::string why = failed ? failed.message() : "the disk is full, or nobody may write there";
  std::filesystem::remove(unfinished, failed);
  return Error{"cannot be written: " + why, path, "choose another --json"};
}

}  // namespace assay::index::crash
