#include <assay/measure/latency/base64.hpp>

#include <gtest/gtest.h>

#include <utility>

namespace assay {
namespace {

TEST(Base64, IsThatOfTheStandard) {
  const std::vector<std::pair<std::string, std::string>> vectors{{"", ""},
                                                                 {"f", "Zg=="},
                                                                 {"fo", "Zm8="},
                                                                 {"foo", "Zm9v"},
                                                                 {"foob", "Zm9vYg=="},
                                                                 {"fooba", "Zm9vYmE="},
                                                                 {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) {
    EXPECT_EQ(to_base64(bytes), text);
    const auto again = from_base64(text);
    ASSERT_TRUE(again) << text;
    EXPECT_EQ(std::string(again->begin(), again->end()), bytes);
  }
}

TEST(Base64, CarriesEveryByte) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  const auto again = from_base64(to_base64(bytes));
  ASSERT_TRUE(again);
  EXPECT_EQ(std::string(again->begin(), again->end()), bytes);
}

TEST(Base64, RefusesWhatIsNot) {
  for (const char* const text : {"A", "AA", "AAA", "AA=", "A===", "====", "AB==", "AAB=", "A A=",
                                 "AA==AA==", "AAA\n", "\xff\xff\xff\xff", "=AAA"}) {
    EXPECT_FALSE(from_base64(text)) << text;
  }
}

}  // namespace
}  // namespace assay
