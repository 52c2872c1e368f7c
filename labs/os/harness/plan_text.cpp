#include <assay/os/harness/plan_text.hpp>

#include <assay/os/harness/case_list.hpp>

#include <nlohmann/json.hpp>

namespace assay::os {

// Defines to_json and from_json in the namespace of the structs, where nlohmann::json finds them.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Effort, samples, longest_ns, batch, sample_ns, timeout_ns,
                                   enough_calls, align)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Launched, per_call_ns, calls, cpu_ns, loop_ns, clock_cost_ns,
                                   clock_resolution_ns, elapsed_ns)

namespace {

using nlohmann::json;

json options_of(const LaunchPlan& plan) {
  json options = json::object();
  for (const Option& option : plan.what->options) {
    if (plan.setting.given(option.letter)) {
      options[std::string(1, option.letter)] = plan.setting.written(option.letter);
    }
  }
  return options;
}

Setting setting_from(const json& from, const std::vector<Option>& options) {
  Setting setting(options);
  for (const auto& [letter, words] : from.at("options").items()) {
    for (const auto& word : words) {
      // Cannot fail, because assay-os has parsed the same word.
      static_cast<void>(setting.set(letter.at(0), word.get<std::string>()));
    }
  }
  setting.processes = from.at("processes");
  setting.threads = from.at("threads");
  setting.operands = from.at("operands").get<std::vector<std::string>>();
  setting.memory_folder = from.at("memory_folder");
  setting.disk_folder = from.at("disk_folder");
  setting.libexec = from.at("libexec");
  return setting;
}

Error unreadable(const std::string& why) {
  return {"not understood: " + why, "assay-os-launch"};
}

}  // namespace

std::string text_of(const LaunchPlan& plan) {
  json text = plan.effort;
  text.update({{"case", plan.what->name},
               {"options", options_of(plan)},
               {"processes", plan.setting.processes},
               {"threads", plan.setting.threads},
               {"operands", plan.setting.operands},
               {"memory_folder", plan.setting.memory_folder},
               {"disk_folder", plan.setting.disk_folder},
               {"libexec", plan.setting.libexec},
               {"cpus", plan.cpus},
               {"in_this_process", plan.in_this_process}});
  return text.dump(-1, ' ', true, json::error_handler_t::replace);
}

Result<OwnedPlan> plan_from(const std::string& text) try {
  const json from = json::parse(text);
  auto what = find_case(from.at("case").get<std::string>());
  if (!what) return unreadable("no such case");
  LaunchPlan plan{.setting = setting_from(from, what->options)};
  plan.effort = from.get<Effort>();
  plan.cpus = from.at("cpus").get<std::vector<int>>();
  plan.in_this_process = from.at("in_this_process");
  return OwnedPlan{*std::move(what), std::move(plan)};
} catch (const json::exception& error) {
  return unreadable(error.what());
}

std::string text_of(const Launched& launched) {
  json text = launched;
  if (launched.trouble) {
    text["trouble"] = {{"what", launched.trouble->what},
                       {"where", launched.trouble->where},
                       {"hint", launched.trouble->hint},
                       {"errno", launched.trouble->errno_value}};
  }
  return text.dump(-1, ' ', true, json::error_handler_t::replace);
}

Result<Launched> launched_from(const std::string& text) try {
  const json from = json::parse(text);
  auto launched = from.get<Launched>();
  if (from.contains("trouble")) {
    const json& trouble = from.at("trouble");
    launched.trouble =
        Error{trouble.at("what"), trouble.at("where"), trouble.at("hint"), trouble.at("errno")};
  }
  return launched;
} catch (const json::exception& error) {
  return unreadable(error.what());
}

}  // namespace assay::os
