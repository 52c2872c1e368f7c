// The examples of native/measure/launch, line for line (tools/header_examples.py).
#include <assay/measure/launch/descendants.hpp>
#include <assay/measure/launch/launch.hpp>
#include <assay/measure/launch/launch_child.hpp>
#include <assay/measure/launch/launch_options.hpp>
#include <assay/measure/launch/launch_report.hpp>
#include <assay/measure/launch/launch_request.hpp>
#include <assay/measure/launch/launch_server.hpp>
#include <assay/measure/launch/output_limit.hpp>
#include <assay/system/child_process.hpp>

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <string>
#include <string_view>
#include <vector>

namespace assay {
namespace {

Status launch_example(const LaunchOptions& options) {
  if (auto ready = assay::prepare_launch(options); !ready) return ready.error();
  assay::Result<assay::LaunchReport> report = assay::launch(options);

  if (!report) return report.error();
  EXPECT_EQ(report->exit_code(), 0);
  return {};
}

TEST(HeaderExamples, Launch) {
  EXPECT_TRUE(launch_example({.command = {"true"}}));
}

TEST(HeaderExamples, LaunchChild) {
  std::string program = "true";
  const std::array<char*, 2> words{program.data(), nullptr};
  char* const* const argv = words.data();
  sigset_t mask{};
  sigemptyset(&mask);

  assay::LaunchChild child{.arguments = argv, .signal_mask = mask};
  assay::Result<pid_t> pid = assay::start(child);

  ASSERT_TRUE(pid);
  EXPECT_TRUE(wait_for_success(*pid));
}

TEST(HeaderExamples, LaunchOptions) {
  const std::vector<std::string_view> words{"--cpu", "1", "--", "./server", "--once"};
  const assay::Result<assay::LaunchOptions> options = assay::parse_launch_options(words);

  ASSERT_TRUE(options);
  EXPECT_EQ(options->cpu, 1);
}

TEST(HeaderExamples, LaunchReport) {
  const LaunchReport report{.wall_ns = 1203, .exit = 0};

  std::string line = assay::to_json(report);  // {"wall_ns":1203,...,"exit":0,"signal":null}

  EXPECT_TRUE(line.starts_with("{\"wall_ns\":1203,")) << line;
}

TEST(HeaderExamples, LaunchRequest) {
  std::string text("\0001\0true\0", 8);

  assay::Result<assay::LaunchRequest> request = assay::parse_launch_request(text);

  ASSERT_TRUE(request) << request.error().line();
  EXPECT_FALSE(request->cpu);
}

// Compiled only: it would end what else the test program started.
[[maybe_unused]] int descendants_example() {
  assay::adopt_descendants();            // once, before the first program
  int ended = assay::end_descendants();  // processes that would have run on
  return ended;
}

TEST(HeaderExamples, OutputLimit) {
  const int file = -1;
  assay::drop_all_but_the_end(file);  // now and then, while the program writes
}

// Compiled only: it serves until the other end closes.
[[maybe_unused]] int launch_server_example(int socket, int pid_file) {
  return assay::serve_launches(socket, pid_file);
}

}  // namespace
}  // namespace assay
