#include <assay/os/cli/command_json.hpp>

#include <assay/os/cli/command.hpp>
#include <assay/record/json_row.hpp>

#include <nlohmann/json.hpp>

#include <utility>
#include <vector>

namespace assay::os {
namespace {

using nlohmann::ordered_json;

ordered_json columns_of(const Command& command) {
  ordered_json columns = ordered_json::array();
  for (const Option& option : command.what.options) {
    if (option.kind != Option::Kind::number) continue;
    columns.push_back({{"name", option.name}, {"values", command.setting.numbers(option.letter)}});
  }
  return columns;
}

ordered_json switches_of(const Command& command) {
  const std::pair<const char*, Switch> all[] = {{"one-process", command.one_process},
                                                {"align", command.align},
                                                {"echo", command.echo},
                                                {"no-header", command.no_header},
                                                {"arguments", command.show_arguments},
                                                {"mean", command.mean},
                                                {"statistics", command.statistics},
                                                {"subtract-loop", command.subtract_loop},
                                                {"effort", command.effort_given}};
  ordered_json switches = ordered_json::array();
  for (const auto& [name, value] : all) {
    if (on(value)) switches.push_back(name);
  }
  return switches;
}

ordered_json json_of(const Command& command) {
  return {{"name", command.name},
          {"processes", command.setting.processes},
          {"threads", command.setting.threads},
          {"columns", columns_of(command)},
          {"switches", switches_of(command)}};
}

}  // namespace

Result<std::string> json_commands(const std::string& lines) try {
  ordered_json all = ordered_json::array();
  for (const auto& words : ordered_json::parse(lines)) {
    const auto command = parse_command(words.get<std::vector<std::string>>());
    if (!command) return command.error();
    all.push_back(json_of(*command));
  }
  return to_text(all, 0) + "\n";
} catch (const nlohmann::json::exception& error) {
  return Error{"are no command lines", error.what(), R"(try [["strlen", "-s", "1k"]])"};
}

}  // namespace assay::os
