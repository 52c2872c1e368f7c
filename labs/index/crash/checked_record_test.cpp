#include <assay/index/crash/checked_record.hpp>

#include <gtest/gtest.h>

namespace assay::index::crash {
namespace {

TEST(CheckedRecord, KeysComeInTheOrderOfTheirNumbersAndBack) {
  const CheckedRecord record(10, 8);
  EXPECT_LT(record.key(255), record.key(256));
  EXPECT_LT(record.key(256), record.key(70'000));
  EXPECT_EQ(record.number_of(record.key(70'000)), 70'000U);
  std::string other = record.key(7);
  other[0] = 'x';
  EXPECT_EQ(record.number_of(other), std::nullopt);
}

TEST(CheckedRecord, AWholeValueTellsItsVersion) {
  for (const std::size_t size : {8U, 9U, 64U, 1000U}) {
    const CheckedRecord record(8, size);
    EXPECT_EQ(record.version_of(3, record.value(3, 41)), 41U);
  }
}

TEST(CheckedRecord, EveryMixtureOfTwoVersionsIsSeen) {
  const CheckedRecord record(8, 64);
  const std::string before = record.value(3, 41);
  const std::string after = record.value(3, 42);
  for (std::size_t cut = 1; cut < 64; ++cut) {
    const std::string torn = after.substr(0, cut) + before.substr(cut);
    if (torn == before || torn == after) continue;
    EXPECT_EQ(record.version_of(3, torn), std::nullopt) << cut;
  }
}

TEST(CheckedRecord, AnyChangedByteIsSeen) {
  const CheckedRecord record(8, 29);
  for (std::size_t at = 0; at < 29; ++at) {
    std::string spoilt = record.value(9, 5);
    spoilt[at] = static_cast<char>(spoilt[at] ^ 1);
    EXPECT_EQ(record.version_of(9, spoilt), std::nullopt) << at;
  }
}

TEST(CheckedRecord, TheValueOfAnotherKeyIsSeen) {
  const CheckedRecord record(8, 16);
  EXPECT_EQ(record.version_of(3, record.value(4, 1)), std::nullopt);
}

}  // namespace
}  // namespace assay::index::crash
