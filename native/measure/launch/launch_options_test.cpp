#include <assay/measure/launch/launch_options.hpp>

#include <gtest/gtest.h>

namespace assay {
namespace {

Result<LaunchOptions> parse(std::vector<std::string_view> arguments) {
  return parse_launch_options(arguments);
}

TEST(LaunchOptions, TakesACommandOnly) {
  const auto options = parse({"--", "/bin/true"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->command, std::vector<std::string>{"/bin/true"});
  EXPECT_FALSE(options->cpu);
  EXPECT_FALSE(options->report_fd);
}

TEST(LaunchOptions, TakesEveryOption) {
  const auto options = parse({"--cpu", "1", "--report-fd", "7", "--parent", "42", "--", "a", "b"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->cpu, 1);
  EXPECT_EQ(options->report_fd, 7);
  EXPECT_EQ(options->parent_pid, 42);
}

TEST(LaunchOptions, LeavesTheProgramsOwnOptionsAlone) {
  const auto options = parse({"--", "prog", "--cpu", "9", "--", "-x"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->command, (std::vector<std::string>{"prog", "--cpu", "9", "--", "-x"}));
  EXPECT_FALSE(options->cpu);
}

TEST(LaunchOptions, RefusesWhatItDoesNotUnderstand) {
  EXPECT_FALSE(parse({}));
  EXPECT_FALSE(parse({"--"}));
  EXPECT_FALSE(parse({"prog"}));
  EXPECT_FALSE(parse({"--cpu"}));
  EXPECT_FALSE(parse({"--cpu", "x", "--", "prog"}));
  EXPECT_FALSE(parse({"--cpu", "-1", "--", "prog"}));
  EXPECT_FALSE(parse({"--cpu", "1x", "--", "prog"}));
  EXPECT_FALSE(parse({"--verbose", "1", "--", "prog"}));
}

TEST(LaunchOptions, ServesWithoutAProgram) {
  const auto options = parse({"--serve", "3", "--pid-fd", "4"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->serve_fd, 3);
  EXPECT_EQ(options->pid_fd, 4);
  EXPECT_FALSE(parse({"--serve", "3"}));
  EXPECT_FALSE(parse({"--pid-fd", "4", "--", "prog"}));
  EXPECT_FALSE(parse({"--serve", "3", "--pid-fd", "4", "--", "prog"}));
}

TEST(LaunchOptions, NamesTheOptionThatIsWrong) {
  EXPECT_EQ(parse({"--cpu", "x", "--", "prog"}).error().where, "--cpu");
}

}  // namespace
}  // namespace assay
