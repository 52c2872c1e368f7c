#include <assay/os/cli/report_json.hpp>

#include <assay/os/cli/catalogue.hpp>
#include <assay/os/harness/case_list.hpp>
#include <assay/record/json_row.hpp>
#include <assay/record/lab_document.hpp>

#include <numeric>

namespace assay::os {
namespace {

using nlohmann::ordered_json;

ordered_json row_head(const Command& command) {
  return {{"name", command.name},         {"run_name", command.name},
          {"run_type", "iteration"},      {"repetitions", 1},
          {"repetition_index", 0},        {"threads", command.setting.workers()},
          {"label", shown_words(command)}};
}

ordered_json measured_row(const Command& command, const Launched& launched, std::size_t number) {
  const double taken_off_ns = on(command.subtract_loop) ? launched.loop_ns : 0;
  std::vector<double> samples = launched.per_call_ns;
  for (double& sample : samples) sample = std::max(sample - taken_off_ns, 0.0);
  const auto count = static_cast<double>(samples.size());
  const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / count;
  ordered_json row = row_head(command);
  row["iterations"] = launched.calls * static_cast<Calls>(samples.size());
  row["real_time"] = mean;
  row["cpu_time"] = launched.cpu_ns;
  row["time_unit"] = "ns";
  row["processes"] = command.setting.processes;
  row["calls_per_sample"] = launched.calls;
  row["loop_overhead_ns"] = launched.loop_ns;
  row["clock_cost_ns"] = launched.clock_cost_ns;
  row["assay"] = {{"samples", {{"real_time", samples}}}, {"launch", number}};
  return row;
}

ordered_json failed_row(const Command& command, const Error& trouble) {
  ordered_json row = row_head(command);
  row["iterations"] = 0;
  row["real_time"] = 0.0;
  row["cpu_time"] = 0.0;
  row["time_unit"] = "ns";
  row["error_occurred"] = true;
  row["error_message"] = (is_host_lacking(trouble) ? "skipped: " : "") + trouble.line();
  return row;
}

}  // namespace

ordered_json record_of(const Command& command, const Measured& measured) {
  ordered_json rows = ordered_json::array();
  if (measured.trouble) {
    rows.push_back(failed_row(command, *measured.trouble));
  } else {
    for (std::size_t i = 0; i < measured.launches.size(); ++i) {
      if (measured.launches[i].per_call_ns.empty()) continue;
      rows.push_back(measured_row(command, measured.launches[i], i));
    }
  }
  LabContext context{.executable = "assay-os " + shown_words(command), .build = ASSAY_BUILD_FACTS};
  if (ASSAY_OS_LAB_IS_STATIC != 0) context.own["linking"] = "static";
  return lab_document(context, std::move(rows));
}

std::string json_list() {
  ordered_json cases = ordered_json::array();
  for (const Case& one : all_cases()) {
    ordered_json options = ordered_json::array();
    for (const Option& option : one.options) {
      options.push_back({{"letter", std::string(1, option.letter)},
                         {"name", option.name},
                         {"takes", option.kind == Option::Kind::flag     ? ""
                                   : option.kind == Option::Kind::number ? "number"
                                                                         : "text"},
                         {"default", option.preset},
                         {"help", option.help}});
    }
    cases.push_back({{"name", one.name},
                     {"summary", one.summary},
                     {"origin", one.origin == Origin::libmicro ? "libMicro" : "Linux"},
                     {"options", options}});
  }
  return to_text(cases, 0) + "\n";
}

std::string json_catalogue() {
  ordered_json runs = ordered_json::array();
  const auto add = [&runs](const std::vector<CatalogueRun>& these, const char* origin) {
    for (const CatalogueRun& run : these) {
      runs.push_back(
          {{"name", run.name}, {"case", run.what}, {"words", run.words()}, {"origin", origin}});
    }
  };
  add(libmicro_runs(), "libMicro");
  add(linux_runs(), "Linux");
  return to_text(runs, 0) + "\n";
}

}  // namespace assay::os
