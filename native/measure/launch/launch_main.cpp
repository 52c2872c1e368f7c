// assay-launch: run one program, measure the whole process, report one JSON line.
#include <assay/measure/launch/launch.hpp>
#include <assay/measure/launch/launch_server.hpp>

#include <unistd.h>

#include <csignal>
#include <string_view>
#include <vector>

namespace {

constexpr int own_failure = 125;  // as env and timeout exit when they fail themselves
constexpr int cannot_run = 127;   // as a shell exits

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written <= 0) return;  // the reader is gone: the exit code still tells the result
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

int fail(const assay::LaunchOptions& options, const assay::Error& error, int exit_code) {
  if (options.report_fd) write_all(*options.report_fd, to_json(error));
  write_all(STDERR_FILENO, "assay-launch: " + error.line() + "\n");
  return exit_code;
}

int run(const assay::LaunchOptions& options) {
  if (options.serve_fd) return assay::serve_launches(*options.serve_fd, *options.pid_fd);
  const auto ready = assay::prepare_launch(options);
  const auto report = ready ? assay::launch(options) : ready.error();
  // Ignored only now, because the program must not inherit an ignored SIGPIPE. From here on, a
  // closed report descriptor must not kill the launcher.
  std::signal(SIGPIPE, SIG_IGN);
  if (!report) return fail(options, report.error(), ready ? cannot_run : own_failure);
  write_all(options.report_fd.value_or(STDERR_FILENO), to_json(*report));
  return report->exit_code();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  if (arguments.size() == 1 && arguments[0] == "--help") {
    write_all(STDOUT_FILENO, assay::launch_usage);
    return 0;
  }
  const auto options = assay::parse_launch_options(arguments);
  if (options) return run(*options);
  write_all(STDERR_FILENO, assay::launch_usage);
  return fail({}, options.error(), 2);
}
