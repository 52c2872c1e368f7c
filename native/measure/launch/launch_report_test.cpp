#include <assay/measure/launch/launch_report.hpp>

#include <gtest/gtest.h>

#include <csignal>

namespace assay {
namespace {

constexpr int exited_with(int code) {
  return code << 8;
}

rusage some_usage() {
  rusage usage{};
  usage.ru_utime = {1, 2};
  usage.ru_stime = {0, 30};
  usage.ru_maxrss = 4;
  usage.ru_minflt = 5;
  usage.ru_majflt = 6;
  usage.ru_nvcsw = 7;
  usage.ru_nivcsw = 8;
  return usage;
}

TEST(LaunchReport, IsOneLineOfJson) {
  EXPECT_EQ(to_json(make_launch_report(9, exited_with(3), some_usage())),
            "{\"wall_ns\":9,\"user_ns\":1000002000,\"system_ns\":30000,\"max_rss_bytes\":4096,"
            "\"minor_faults\":5,\"major_faults\":6,\"voluntary_switches\":7,"
            "\"involuntary_switches\":8,\"exit\":3,\"signal\":null}\n");
}

TEST(LaunchReport, TellsASignalFromAnExit) {
  const LaunchReport killed = make_launch_report(1, SIGKILL, rusage{});
  EXPECT_FALSE(killed.exit);
  EXPECT_EQ(killed.signal, SIGKILL);
  EXPECT_EQ(killed.exit_code(), 128 + SIGKILL);
  EXPECT_NE(to_json(killed).find("\"exit\":null,\"signal\":9"), std::string::npos);
  EXPECT_EQ(make_launch_report(1, exited_with(77), rusage{}).exit_code(), 77);
}

TEST(LaunchReport, EscapesWhatAnErrorNames) {
  const Error error{"no such file", "a\"b\\c\n\x01", "", 2};
  EXPECT_EQ(to_json(error),
            "{\"error\":\"a\\\"b\\\\c\\u000a\\u0001: no such file\",\"errno\":2}\n");
}

}  // namespace
}  // namespace assay
