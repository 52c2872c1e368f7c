#include <assay/os/cli/command_json.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace assay::os {
namespace {

using nlohmann::json;

json parsed(const std::string& lines) {
  const auto text = json_commands(lines);
  EXPECT_TRUE(text) << text.error().line();
  return text ? json::parse(*text) : json{};
}

TEST(JsonCommands, SayWhatALineAsksFor) {
  const json all = parsed(R"([["malloc", "-ELSs1k", "-s", "2", "-T", "2", "-N", "m"], ["nop"]])");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0], json::parse(R"({
    "name": "m", "processes": 1, "threads": 2,
    "columns": [{"name": "size", "values": [1024, 2]}, {"name": "blocks", "values": [100]}],
    "switches": ["echo", "arguments", "statistics"]})"));
  EXPECT_EQ(all[1]["columns"], json::array());
  EXPECT_EQ(all[1]["switches"], json::array());
}

TEST(JsonCommands, SayWhetherEffortIsAskedFor) {
  for (const json& one :
       parsed(R"([["nop", "-C", "2"], ["nop", "-SD1"], ["nop", "--launches=2"]])")) {
    EXPECT_EQ(one["switches"].back(), "effort");
  }
}

TEST(JsonCommands, SayWhatIsWrong) {
  EXPECT_EQ(json_commands(R"([["nop"], ["strlne"]])").error().line(),
            "strlne: no such case (see assay os list)");
  EXPECT_EQ(json_commands("nop").error().what, "are no command lines");
  EXPECT_EQ(json_commands("[[1]]").error().what, "are no command lines");
  EXPECT_EQ(parsed("[]"), json::array());
}

}  // namespace
}  // namespace assay::os
