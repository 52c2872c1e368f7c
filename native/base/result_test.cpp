#include <assay/base/result.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>

namespace assay {
namespace {

Result<int> half(int n) {
  if (n % 2 != 0) return Error{"odd number", "half", "give an even one"};
  return n / 2;
}

TEST(Result, HoldsAValue) {
  const Result<int> result = half(4);
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, 2);
  EXPECT_EQ(result.value_or(9), 2);
}

TEST(Result, HoldsAnErrorThatSaysWhatWhereAndWhatToTry) {
  const Result<int> result = half(3);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().line(), "half: odd number (give an even one)");
  EXPECT_EQ(result.value_or(9), 9);
}

TEST(Result, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(Error{"broken"}.line(), "broken");
  EXPECT_EQ((Error{"broken", "here"}).line(), "here: broken");
}

TEST(Result, CarriesTypesThatOnlyMove) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 7);
}

TEST(Result, RefusesToReadTheWrongSide) {
  const Result<int> failed = half(3);
  EXPECT_THROW(static_cast<void>(*failed), std::bad_variant_access);
  EXPECT_THROW(static_cast<void>(half(3).value()), std::bad_variant_access);
  EXPECT_THROW(static_cast<void>(half(4).error()), std::bad_variant_access);
}

}  // namespace
}  // namespace assay
