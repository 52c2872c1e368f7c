#include <assay/index/check/scan_order.hpp>

#include <gtest/gtest.h>

#include <string>

namespace assay::index {
namespace {

ScanOrders order_of(const std::string& low, const std::string& high) {
  return ascending(every_scan_order, {.low = low.data(), .high = high.data(), .bytes = low.size()});
}

TEST(ScanOrder, TellsOrdersApart) {
  EXPECT_EQ(order_of("aa", "bb"), every_scan_order);
  EXPECT_EQ(order_of("bb", "aa"), 0U);
  EXPECT_EQ(order_of("aa", "aa"), 0U);
  EXPECT_EQ(name_of_order(order_of("az", "ba")), "bytes (memcmp)");
  EXPECT_EQ(name_of_order(order_of("za", "ab")), "little-endian numbers");
  EXPECT_EQ(name_of_order(order_of("z\xff", "ab")), "signed little-endian numbers");
  EXPECT_EQ(name_of_order(order_of("\xffz", "a\x01")), "signed big-endian numbers");
}

TEST(ScanOrder, HasNoNameBeforeAnythingIsKnown) {
  EXPECT_EQ(name_of_order(every_scan_order), "");
  EXPECT_EQ(name_of_order(0), "");
}

TEST(ScanOrder, BeginsAtTheLowestKey) {
  const std::string zeros("p\0\0", 3);
  EXPECT_EQ(lowest_key(1, "p", 2), zeros);
  EXPECT_EQ(lowest_key(2, "p", 2), zeros);
  EXPECT_EQ(lowest_key(4, "p", 2), std::string("p\0\x80", 3));
  EXPECT_EQ(lowest_key(8, "p", 2), zeros);
  EXPECT_EQ(lowest_key(8, "", 2), std::string("\x80\0", 2));
  EXPECT_EQ(without_first(6), 4U);
}

}  // namespace
}  // namespace assay::index
