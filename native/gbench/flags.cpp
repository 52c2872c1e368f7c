#include <assay/gbench/flags.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace assay {
namespace {

std::optional<std::string> from_environment(const char* variable) {
  const char* const value = std::getenv(variable);
  if (value == nullptr) return std::nullopt;
  return value;
}

/// The value of the last argument --name=VALUE; as in Google Benchmark, the last one wins.
std::optional<std::string> from_arguments(int argc, char** argv, std::string_view name) {
  std::optional<std::string> value;
  const std::string prefix = "--" + std::string(name) + "=";
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.substr(0, prefix.size()) == prefix) value = argument.substr(prefix.size());
  }
  return value;
}

bool is_ours(const char* argument) {
  return std::string_view(argument).substr(0, 8) == "--assay_";
}

}  // namespace

GbenchFlags take_gbench_flags(int& argc, char** argv) {
  GbenchFlags flags;
  const auto choose = [&](const char* name, const char* variable, std::string otherwise) {
    if (auto value = from_arguments(argc, argv, name)) return *value;
    return from_environment(variable).value_or(std::move(otherwise));
  };
  flags.format = choose("benchmark_format", "BENCHMARK_FORMAT", flags.format);
  flags.out = choose("benchmark_out", "BENCHMARK_OUT", flags.out);
  flags.out_format = choose("benchmark_out_format", "BENCHMARK_OUT_FORMAT", flags.out_format);
  flags.memory_pass = choose("assay_memory_pass", "ASSAY_MEMORY_PASS", "on") != "off";
  char** const last = std::remove_if(argv + 1, argv + argc, is_ours);
  argc = static_cast<int>(last - argv);
  return flags;
}

}  // namespace assay
