#include <assay/index/scan_check.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace assay::index {
namespace {

/// Keys of two bytes, values of one.
std::string records(const std::vector<std::string>& keys) {
  std::string bytes;
  for (const std::string& key : keys) bytes += key + "v";
  return bytes;
}

std::string lie(ScanCheck& check, const std::string& start, const std::vector<std::string>& keys) {
  const std::string bytes = records(keys);
  return check
      .wrong_order({.start = start.data(), .records = 9}, bytes.data(),
                   static_cast<int>(keys.size()))
      .value_or("");
}

TEST(ScanCheck, TakesAscendingKeysFromTheOneAskedFor) {
  ScanCheck check(2, 1);
  EXPECT_EQ(lie(check, "ab", {"ab", "ac", "ba"}), "");
  EXPECT_EQ(lie(check, "ab", {}), "");
  EXPECT_EQ(lie(check, "aa", {"ab"}), "");
}

TEST(ScanCheck, SeesWhatIsOutOfOrder) {
  EXPECT_NE(lie(*std::make_unique<ScanCheck>(2, 1), "aa", {"ab", "bb", "aa"}), "");
  EXPECT_NE(lie(*std::make_unique<ScanCheck>(2, 1), "bb", {"aa", "bb"}), "");
  EXPECT_NE(lie(*std::make_unique<ScanCheck>(2, 1), "aa", {"ab", "ab"}), "");
}

TEST(ScanCheck, TakesTheOrderOfLittleEndianNumbersToo) {
  ScanCheck check(2, 1);
  EXPECT_EQ(lie(check, "za", {"za", "ab", "bb"}), "");  // 'a'z < 'b'a < 'b'b
}

TEST(ScanCheck, WantsTheSameOrderOfAllScans) {
  ScanCheck check(2, 1);
  EXPECT_EQ(lie(check, "za", {"za", "ab"}), "");
  EXPECT_NE(lie(check, "az", {"az", "ba"}), "");
}

TEST(ScanCheck, SeesAWrongNumber) {
  const ScanCheck::Asked asked{.start = "", .records = 10};
  EXPECT_FALSE(ScanCheck::wrong_count(asked, 0));
  EXPECT_FALSE(ScanCheck::wrong_count(asked, 10));
  EXPECT_EQ(ScanCheck::wrong_count(asked, 11).value_or(""),
            "scan returned 11 records, 10 were asked for");
  EXPECT_TRUE(ScanCheck::wrong_count(asked, -1));
}

}  // namespace
}  // namespace assay::index
