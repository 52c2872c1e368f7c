#include <assay/os/cli/recorded.hpp>

#include <nlohmann/json.hpp>

#include <sstream>

namespace assay::os {
namespace {

using nlohmann::json;

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream from(line);
  std::vector<std::string> words;
  for (std::string word; from >> word;) words.push_back(word);
  return words;
}

Launched launched_of(const json& row) {
  Launched launched;
  launched.per_call_ns = row.at("assay").at("samples").at("real_time").get<std::vector<double>>();
  launched.calls = static_cast<Calls>(row.value("calls_per_sample", 0.0));
  launched.loop_ns = row.value("loop_overhead_ns", 0.0);
  launched.clock_cost_ns = row.value("clock_cost_ns", 0.0);
  for (const double each_ns : launched.per_call_ns) {
    launched.elapsed_ns += static_cast<std::int64_t>(each_ns * static_cast<double>(launched.calls));
  }
  return launched;
}

RecordedRun* find(std::vector<RecordedRun>& runs, const std::string& name) {
  for (RecordedRun& run : runs) {
    if (run.command.name == name) return &run;
  }
  return nullptr;
}

Result<bool> add(std::vector<RecordedRun>& runs, const json& row) {
  if (row.value("error_occurred", false)) return true;
  const std::string name = row.at("name");
  RecordedRun* run = find(runs, name);
  if (run == nullptr) {
    auto command = parse_command(words_of(row.value("label", "")));
    if (!command) return command.error();
    command.value().name = name;
    runs.push_back({std::move(command).value(), {}});
    run = &runs.back();
  }
  run->measured.launches.push_back(launched_of(row));
  run->measured.elapsed_ns += run->measured.launches.back().elapsed_ns;
  return true;
}

}  // namespace

Result<std::vector<RecordedRun>> recorded_runs(const std::string& text) try {
  std::vector<RecordedRun> runs;
  const json document = json::parse(text);
  for (const json& row : document.at("benchmarks")) {
    if (const Result<bool> done = add(runs, row); !done) return done.error();
  }
  return runs;
} catch (const json::exception& error) {
  return Error{"is no record of the OS lab", error.what(), "make it with assay os"};
}

}  // namespace assay::os
