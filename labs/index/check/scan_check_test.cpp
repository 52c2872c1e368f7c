#include <assay/index/check/scan_check.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace assay::index {
namespace {

/// The bytes of records with these keys, each followed by a value of one byte.
std::string records(const std::vector<std::string>& keys) {
  std::string bytes;
  for (const std::string& key : keys) bytes += key + "v";
  return bytes;
}

/// A ScanCheck with what it needs. Scans checked by one object share its set of possible orders.
struct Checked {
  KeyMaker keys{{.size = 2}, nullptr};
  ValueMaker values{{.size = 1}, 1, Body::whole};
  std::atomic<ScanOrders> orders{every_scan_order};
  ScanCheck check{keys, values, 1, orders};

  std::string order_error(const std::string& start, const std::vector<std::string>& given) {
    const std::string bytes = records(given);
    return check
        .wrong_order({.start = start.data(), .records = 9}, bytes.data(),
                     static_cast<int>(given.size()))
        .value_or("");
  }
};

std::string order_error(const std::string& start, const std::vector<std::string>& given) {
  return Checked().order_error(start, given);
}

TEST(ScanCheck, TakesAscendingKeysFromTheOneAskedFor) {
  Checked checked;
  EXPECT_EQ(checked.order_error("ab", {"ab", "ac", "ba"}), "");
  EXPECT_EQ(checked.order_error("ab", {}), "");
  EXPECT_EQ(checked.order_error("aa", {"ab"}), "");
}

TEST(ScanCheck, SaysWhichKeysAreOutOfOrder) {
  const std::string begin = "scan gave records out of order: of ";
  const std::string end = "; without --verify, --check_scans false measures it all the same";
  EXPECT_EQ(order_error("aa", {"ab", "bb", "aa"}),
            begin +
                "3 from key 6161, number 3 has key 6161, which is below the one before, 6262, "
                "as bytes and as numbers of either byte order" +
                end);
  EXPECT_EQ(order_error("bb", {"aa", "bb"}),
            begin +
                "2 from key 6262, number 1 has key 6161, which is below that, as bytes and as "
                "numbers of either byte order" +
                end);
  EXPECT_EQ(order_error("aa", {"ab", "ab"}),
            begin + "2 from key 6161, number 2 has key 6162, and so has the one before" + end);
}

TEST(ScanCheck, TakesTheOrderOfNumbersToo) {
  Checked little_endian;
  // Bytes reversed, as little-endian numbers compare, these are az, ba and bb.
  EXPECT_EQ(little_endian.order_error("za", {"za", "ab", "bb"}), "");
  EXPECT_EQ(name_of_order(little_endian.orders), "little-endian numbers");
  Checked with_sign;
  EXPECT_EQ(with_sign.order_error("z\xff", {"z\xff", "aa", "ab"}), "");
  EXPECT_EQ(name_of_order(with_sign.orders), "signed little-endian numbers");
  Checked big_endian;
  EXPECT_EQ(big_endian.order_error("\xffz", {"\xffz", "a\x01", "b\x01"}), "");
  EXPECT_EQ(name_of_order(big_endian.orders), "signed big-endian numbers");
}

TEST(ScanCheck, WantsTheSameOrderOfAllScans) {
  Checked checked;
  EXPECT_EQ(checked.order_error("za", {"za", "ab"}), "");
  EXPECT_NE(checked.order_error("az", {"az", "ba"})
                .find("number 2 has key 6261, which is below the one before, 617a, in the order of "
                      "little-endian numbers that scans had"),
            std::string::npos);
}

TEST(ScanCheck, WantsTheSameOrderOfAllThreads) {
  Checked one;
  ScanCheck other(one.keys, one.values, 1, one.orders);
  const std::string bytes = records({"za", "ab"});
  EXPECT_FALSE(other.wrong_order({.start = "za", .records = 9}, bytes.data(), 2));
  EXPECT_NE(one.order_error("az", {"az", "ba"}), "");
}

/// Scans with keys of eight bytes and values of sixteen, some of them laid out wrongly.
class ScanLayout : public testing::Test {
 protected:
  std::string key(std::uint64_t id) {
    KeyBlock block(keys_);
    block.write({&id, 1});
    return {block.key(0), 8};
  }
  std::string value(std::uint64_t id) {
    const auto bytes = values_.make(id, 0);
    return {bytes.data(), bytes.size()};
  }
  std::string finding(const std::string& given, int count) {
    std::atomic<ScanOrders> orders{every_scan_order};
    ScanCheck check(keys_, values_, 16, orders);
    const std::string start = key(7);
    return check.wrong_order({.start = start.data(), .records = 9}, given.data(), count)
        .value_or("");
  }

  KeyMaker keys_{{.size = 8}, nullptr};
  ValueMaker values_{{.size = 16}, 1, Body::whole};
};

TEST_F(ScanLayout, SaysThatThereAreValuesAlone) {
  std::string given;
  for (const std::uint64_t id : {7U, 8U, 9U, 10U, 11U, 12U, 13U, 14U}) given += value(id);
  const std::string found = finding(given, 5);
  EXPECT_NE(found.find("scan gave no records of key and value: of 5 from key "), std::string::npos)
      << found;
  EXPECT_NE(found.find("which is the value of that key: the plug-in gives values without their"),
            std::string::npos)
      << found;
}

TEST_F(ScanLayout, SaysThatThereAreNoKeys) {
  const std::string found = finding(value(8) + value(9) + value(10) + value(11), 2);
  EXPECT_NE(found.find("which is no key of this run"), std::string::npos) << found;
}

TEST_F(ScanLayout, SaysThatKeysAreInReverse) {
  std::string turned = key(8);
  std::reverse(turned.begin(), turned.end());
  const std::string found = finding(turned + value(8) + turned + value(8), 2);
  EXPECT_NE(found.find("which is a key of this run with its bytes in reverse"), std::string::npos)
      << found;
}

TEST_F(ScanLayout, SaysHowFarApartTheKeysLie) {
  std::string given;
  for (const std::uint64_t id : {7U, 8U, 9U, 10U, 11U, 12U, 13U, 14U})
    given += key(id) + "12345678";
  const std::string found = finding(given, 5);
  EXPECT_NE(found.find("keys lie 16 bytes apart, as for values of 8, where --value_size is 16"),
            std::string::npos)
      << found;
}

TEST(ScanCheck, ShowsTheEndsOfALongKey) {
  const KeyMaker keys({.prefix = "a long prefix", .size = 30}, nullptr);
  const ValueMaker values({.size = 1}, 1, Body::whole);
  std::atomic<ScanOrders> orders{every_scan_order};
  const ScanCheck check(keys, values, 1, orders);
  const std::string key = "12345678" + std::string(27, 'x') + "abcdefgh";
  EXPECT_EQ(check.text_of(key.data()), "3132333435363738...6162636465666768");
}

TEST(ScanCheck, SeesAWrongNumber) {
  const ScanCheck::ScanRequest asked{.start = "", .records = 10};
  EXPECT_FALSE(ScanCheck::wrong_count(asked, 0));
  EXPECT_FALSE(ScanCheck::wrong_count(asked, 10));
  EXPECT_EQ(ScanCheck::wrong_count(asked, 11).value_or(""),
            "scan returned 11 records, 10 were asked for");
  EXPECT_TRUE(ScanCheck::wrong_count(asked, -1));
}

}  // namespace
}  // namespace assay::index
