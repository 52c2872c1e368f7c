#include <assay/index/workload/value_maker.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace assay::index {
namespace {

ValueMaker maker(std::uint32_t size, Body body, Spread spread = Spread::fixed) {
  return {{.size = size, .smallest = 1, .spread = spread}, 1729, body};
}

std::string made(ValueMaker& values, std::uint64_t id, std::uint32_t version) {
  const auto value = values.make(id, version);
  return {value.data(), value.size()};
}

TEST(ValueMaker, ValuesBelongToTheirRecord) {
  for (const Body body : {Body::noise, Body::whole}) {
    for (const std::uint32_t size : {2U, 4U, 8U, 9U, 100U, 4096U}) {
      ValueMaker values = maker(size, body);
      const std::string value = made(values, 7, 3);
      EXPECT_EQ(value.size(), size);
      EXPECT_TRUE(values.is_of(7, value.data()));
      int others = 0;
      for (std::uint64_t id = 100; id < 200; ++id) others += values.is_of(id, value.data()) ? 1 : 0;
      EXPECT_LE(others, 1) << size;
    }
  }
}

TEST(ValueMaker, TellsTheVersionWhereItFits) {
  ValueMaker longer = maker(8, Body::whole);
  EXPECT_EQ(longer.version_of(made(longer, 1, 42).data()), 42U);
  ValueMaker shorter = maker(7, Body::whole);
  EXPECT_FALSE(shorter.version_of(made(shorter, 1, 42).data()));
}

TEST(ValueMaker, SeesEveryByteThatIsTorn) {
  ValueMaker values = maker(100, Body::whole);
  const std::string value = made(values, 9, 5);
  EXPECT_TRUE(values.is_whole(9, value.data()));
  for (std::size_t i = 0; i < value.size(); ++i) {
    std::string torn = value;
    torn[i] = static_cast<char>(torn[i] ^ 1);
    EXPECT_FALSE(values.is_whole(9, torn.data())) << i;
  }
  const std::string half = value.substr(0, 50) + made(values, 9, 6).substr(50);
  EXPECT_FALSE(values.is_whole(9, half.data()));
}

TEST(ValueMaker, NoiseDiffersFromValueToValue) {
  ValueMaker values = maker(1000, Body::noise);
  std::set<std::string> bodies;
  for (std::uint32_t i = 0; i < 200; ++i) bodies.insert(made(values, i, 0).substr(8, 64));
  EXPECT_EQ(bodies.size(), 200U);
}

TEST(ValueMaker, SizesAreAFunctionOfRecordAndVersion) {
  for (const Spread spread : {Spread::uniform, Spread::zipfian}) {
    ValueMaker values = maker(64, Body::whole, spread);
    std::set<std::size_t> sizes;
    double sum = 0;
    for (std::uint64_t id = 0; id < 5000; ++id) {
      const std::string value = made(values, id, 1);
      ASSERT_EQ(value.size(), values.size_of(id, 1));
      sizes.insert(value.size());
      sum += static_cast<double>(value.size());
    }
    EXPECT_EQ(*sizes.begin(), 1U);
    EXPECT_EQ(*sizes.rbegin(), 64U);
    EXPECT_EQ(sizes.size(), 64U);
    const bool is_even = spread == Spread::uniform;
    EXPECT_NEAR(sum / 5000, is_even ? 32.5 : 13.6, 1.5);
  }
}

TEST(ValueMaker, HasRoomForTheLargest) {
  EXPECT_GE(maker(5000, Body::noise).buffer_bytes(), 5000U);
}

}  // namespace
}  // namespace assay::index
