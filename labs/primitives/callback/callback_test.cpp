#include <assay/primitives/callback/callback_types.hpp>

#include <gtest/gtest.h>

#include <memory>

namespace assay::primitives {
namespace {

struct DropsLargeValues {
  static auto make(Adder callable) {
    return [callable](std::uint64_t value) {
      if (value < 1'000) callable(value);
    };
  }
};

/// Broken on purpose: calls of every callee arrive at the one that was made first.
struct CallsFirstMade {
  static auto make(Totals& total) {
    Totals*& first = first_made();
    if (first == nullptr) first = &total;
    return [&first](std::uint64_t value) { first->add(value); };
  }
  static Totals*& first_made() {
    static Totals* made = nullptr;
    return made;
  }
};

TEST(CallbackChecks, CatchCallsThatDoNotArrive) {
  EXPECT_EQ((check_callback<DropsLargeValues, Adder>()),
            "the total is 1093 after the call with 2187, not 3280");
}

TEST(CallbackChecks, CatchCallsThatArriveElsewhere) {
  EXPECT_EQ((check_callback<CallsFirstMade, Adder>()), "a call arrived at another callable");
}

TEST(MoveOnlyFunction, OwnsWhatCannotBeCopied) {
  auto owned = std::make_unique<std::uint64_t>(1);
  const std::uint64_t* const seen = owned.get();
  MoveOnlyFunction function(
      [owned = std::move(owned)](std::uint64_t value) mutable { *owned += value; });
  const MoveOnlyFunction moved = std::move(function);
  moved(41);
  EXPECT_EQ(*seen, 42U);
}

}  // namespace
}  // namespace assay::primitives
