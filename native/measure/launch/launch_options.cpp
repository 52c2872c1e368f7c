#include <assay/measure/launch/launch_options.hpp>

#include <charconv>
#include <system_error>
#include <utility>

namespace assay {

const char* const launch_usage =
    "usage: assay-launch [--cpu N] [--report-fd N] [--parent PID] -- PROGRAM [ARGUMENT]...\n"
    "Runs PROGRAM, measures the whole process, writes one JSON line to the report fd\n"
    "(stderr without one) and exits as PROGRAM did (128 + signal when it was killed).\n"
    "   or: assay-launch --serve SOCKET-FD --pid-fd FD\n"
    "Does so for each request from the socket; for Assay itself, which sends them.\n";

namespace {

Result<int> parse_number(std::string_view option, std::string_view text) {
  int number = -1;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc{} || end != text.data() + text.size() || number < 0) {
    return Error{"'" + std::string(text) + "' is not a number", std::string(option),
                 "give a whole number from 0 on"};
  }
  return number;
}

std::optional<int>* slot(LaunchOptions& options, std::string_view name) {
  if (name == "--cpu") return &options.cpu;
  if (name == "--report-fd") return &options.report_fd;
  if (name == "--parent") return &options.parent_pid;
  if (name == "--serve") return &options.serve_fd;
  if (name == "--pid-fd") return &options.pid_fd;
  return nullptr;
}

Result<LaunchOptions> checked(LaunchOptions options) {
  if (options.serve_fd.has_value() != options.pid_fd.has_value()) {
    return Error{"--serve and --pid-fd go together"};
  }
  if (options.serve_fd && !options.command.empty()) {
    return Error{"it takes no program", "--serve", "requests name what to run"};
  }
  if (options.serve_fd || !options.command.empty()) return options;
  return Error{"no program to run", "", "name one after --"};
}

}  // namespace

Result<LaunchOptions> parse_launch_options(std::span<const std::string_view> arguments) {
  LaunchOptions options;
  std::size_t at = 0;
  for (; at < arguments.size() && arguments[at] != "--"; at += 2) {
    std::optional<int>* const target = slot(options, arguments[at]);
    if (target == nullptr) {
      return Error{"unknown option '" + std::string(arguments[at]) + "'", "",
                   "put -- before PROGRAM"};
    }
    if (at + 1 >= arguments.size()) return Error{"a value is missing", std::string(arguments[at])};
    Result<int> number = parse_number(arguments[at], arguments[at + 1]);
    if (!number) return number.error();
    *target = *number;
  }
  for (++at; at < arguments.size(); ++at) options.command.emplace_back(arguments[at]);
  return checked(std::move(options));
}

}  // namespace assay
