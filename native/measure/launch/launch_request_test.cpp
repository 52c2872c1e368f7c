#include <assay/measure/launch/launch_request.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace assay {
namespace {

using std::string_literals::operator""s;

std::vector<std::string> texts(const std::vector<char*>& pointers) {
  EXPECT_EQ(pointers.back(), nullptr);
  return {pointers.begin(), pointers.end() - 1};
}

TEST(LaunchRequest, HoldsACpuACommandAndAnEnvironment) {
  std::string text = "1\0003\0prog\0\0-x\0A=1\0B=\0"s;
  const auto request = parse_launch_request(text);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->cpu, 1);
  EXPECT_EQ(texts(request->arguments), (std::vector<std::string>{"prog", "", "-x"}));
  EXPECT_EQ(texts(request->environment), (std::vector<std::string>{"A=1", "B="}));
}

TEST(LaunchRequest, NeedsNeitherCpuNorEnvironment) {
  std::string text = "\0001\0prog\0"s;
  const auto request = parse_launch_request(text);
  ASSERT_TRUE(request);
  EXPECT_FALSE(request->cpu);
  EXPECT_EQ(texts(request->arguments), std::vector<std::string>{"prog"});
  EXPECT_TRUE(texts(request->environment).empty());
}

TEST(LaunchRequest, RefusesWhatIsNotOne) {
  for (std::string text :
       {""s, "\0"s, "1\0001\0"s, "1\0001\0prog"s, "x\0001\0prog\0"s, "-1\0001\0prog\0"s,
        "1\0000\0prog\0"s, "1\0002\0prog\0"s, "1\0x\0prog\0"s, "1\00099999999999\0prog\0"s}) {
    EXPECT_FALSE(parse_launch_request(text)) << text;
  }
}

}  // namespace
}  // namespace assay
