#include <assay/primitives/hash/hash_group.hpp>

#include <gtest/gtest.h>

#include <functional>

namespace assay::primitives {
namespace {

TEST(HashChecks, CatchAHashThatLooksAtTooLittle) {
  const auto size_alone = [](std::string_view text) { return text.size(); };
  EXPECT_EQ(check_hash(size_alone), "does not look at byte 0");
  const auto start_alone = [](std::string_view text) {
    return std::hash<std::string_view>{}(text.substr(0, 8));
  };
  EXPECT_EQ(check_hash(start_alone), "does not look at byte 8");
}

TEST(HashChecks, CatchAHashOfThePlace) {
  const auto place = [](std::string_view text) { return std::hash<const char*>{}(text.data()); };
  EXPECT_EQ(check_hash(place), "depends on where the text lies");
}

TEST(HashChecks, CatchTheWrongPolynomial) {
  const auto other = [](std::string_view text) { return crc32c_table(text) ^ 1U; };
  EXPECT_TRUE(check_known(other, crc32c_text, crc32c_of_text).has_value());
}

}  // namespace
}  // namespace assay::primitives
