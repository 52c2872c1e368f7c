#include <assay/os/cli/libmicro_facts.hpp>

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace assay::os {
namespace {

TEST(LibMicroFacts, AreKeysAndValues) {
  const std::string text = libmicro_facts();
  EXPECT_TRUE(text.starts_with("!Version       \tassay "));
  EXPECT_NE(text.find("\n!Num CPUs      \t"), std::string::npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_EQ(line.front(), '!') << line;
    EXPECT_EQ(line.find('\t'), 15U) << line;
    EXPECT_LE(line.size(), 16U + 50) << line;
  }
}

}  // namespace
}  // namespace assay::os
