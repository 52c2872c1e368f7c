#include <assay/os/harness/setting.hpp>

#include <gtest/gtest.h>

namespace assay::os {
namespace {

TEST(ParseSize, UnitsArePowersOfTwo) {
  EXPECT_EQ(parse_size("10").value_or(-1), 10);
  EXPECT_EQ(parse_size("10k").value_or(-1), 10'240);
  EXPECT_EQ(parse_size("4M").value_or(-1), 4'194'304);
  EXPECT_EQ(parse_size("1g").value_or(-1), 1'073'741'824);
  EXPECT_EQ(parse_size("0").value_or(-1), 0);
}

TEST(ParseSize, WhatIsNoNumber) {
  for (const char* wrong : {"", "k", "10x", "-1", "1.5", "0x10", " 1", "99999999999g"}) {
    EXPECT_FALSE(parse_size(wrong)) << wrong;
  }
}

class SettingTest : public testing::Test {
 protected:
  Setting setting_{{number('s', "size", "10k", ""), text('f', "file", "/dev/null", ""),
                    flag('n', "unaligned", "")}};
};

TEST_F(SettingTest, Presets) {
  EXPECT_EQ(setting_.number('s'), 10'240);
  EXPECT_EQ(setting_.text('f'), "/dev/null");
  EXPECT_FALSE(setting_.flag('n'));
  EXPECT_FALSE(setting_.given('s'));
}

TEST_F(SettingTest, SeveralNumbers) {
  EXPECT_TRUE(setting_.set('s', "1"));
  EXPECT_TRUE(setting_.set('s', "2k"));
  EXPECT_EQ(setting_.numbers('s'), (std::vector<std::int64_t>{1, 2048}));
  EXPECT_EQ(setting_.number('s'), 2048);
  EXPECT_FALSE(setting_.set('s', "two"));
}

TEST_F(SettingTest, TokensAreReplaced) {
  EXPECT_TRUE(setting_.set('f', "@tmp"));
  setting_.operands = {"/", "@disk.dir1"};
  const auto done = setting_.replace_tokens(
      [](const std::string& token) { return Result<std::string>("/x/" + token.substr(1)); });
  EXPECT_TRUE(done);
  EXPECT_EQ(setting_.text('f'), "/x/tmp");
  EXPECT_FALSE(setting_.given('s'));
  EXPECT_EQ(setting_.operands, (std::vector<std::string>{"/", "/x/disk.dir1"}));
  setting_.operands = {"@nowhere"};
  EXPECT_FALSE(setting_.replace_tokens([](const std::string& token) {
    return Result<std::string>(Error{"no", token});
  }));
}

// assay-os-launch gets only the options that were given. So a default value that was a token, and
// became a path, has to count as given.
TEST(Setting, PresetTokensCountAsGiven) {
  Setting setting({text('f', "file", "@disk", "")});
  EXPECT_TRUE(setting.replace_tokens(
      [](const std::string& token) { return Result<std::string>("/x/" + token.substr(1)); }));
  EXPECT_EQ(setting.text('f'), "/x/disk");
  EXPECT_TRUE(setting.given('f'));
}

TEST_F(SettingTest, AnUndeclaredLetterIsADefect) {
  EXPECT_DEATH(static_cast<void>(setting_.number('q')), "option -q");
}

}  // namespace
}  // namespace assay::os
