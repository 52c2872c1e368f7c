#include <assay/os/bench_name.hpp>

namespace assay::os {
namespace {

// A word in a benchmark's name. A path is shortened to its last part, because in a benchmark's name
// a slash separates the parts.
std::string last_path_part(const std::string& word) {
  if (word.starts_with("@")) return word.substr(1);
  const std::size_t slash = word.rfind('/');
  return slash == std::string::npos ? word : word.substr(slash + 1);
}

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : "+") + last_path_part(word);
  return all;
}

}  // namespace

std::string bench_name(const Command& command) {
  std::string name = "os/" + std::string(command.what.name);
  for (const Option& option : command.what.options) {
    if (!command.setting.given(option.letter)) continue;
    name += "/" + std::string(option.name);
    if (option.kind == Option::Kind::flag) continue;
    name += ":" + joined(command.setting.written(option.letter));
  }
  if (!command.setting.operands.empty()) name += "/on:" + joined(command.setting.operands);
  if (command.batch > 0) name += "/batch:" + std::to_string(command.batch);
  const Setting& setting = command.setting;
  if (setting.processes > 1) name += "/processes:" + std::to_string(setting.processes);
  if (setting.threads > 1) name += "/workers:" + std::to_string(setting.threads);
  return name;
}

}  // namespace assay::os
