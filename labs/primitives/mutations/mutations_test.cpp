#include <assay/primitives/mutations/mutations_group.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace assay::primitives {
namespace {

/// Broken on purpose: leaves out one mutation in a hundred.
struct Forgetful : ListType::VectorOfStrings {
  using VectorOfStrings::VectorOfStrings;
  void add(const Mutation& mutation) {
    if (++added_ % 100 != 0) VectorOfStrings::add(mutation);
  }

 private:
  int added_ = 0;
};

struct Swapping : ListType::VectorOfStrings {
  using VectorOfStrings::VectorOfStrings;
  void add(const Mutation& mutation) {
    VectorOfStrings::add({mutation.kind, mutation.second, mutation.first});
  }
};

/// Broken on purpose: does not store the last of the 500 mutations.
struct Short : ListType::VectorOfStrings {
  using VectorOfStrings::VectorOfStrings;
  void add(const Mutation& mutation) {
    if (++added_ < 500) VectorOfStrings::add(mutation);
  }

 private:
  int added_ = 0;
};

TEST(ListCheck, CatchesWhatLosesOrAltersMutations) {
  EXPECT_EQ(check_list<Forgetful>(), "mutation 99 is another");
  EXPECT_EQ(check_list<Swapping>(), "mutation 0 is another");
  EXPECT_EQ(check_list<Short>(), "499 mutations came out, not 500");
}

TEST(Arena, KeepsWhatItCopiedAsItGrows) {
  Arena arena;
  std::vector<std::string_view> kept;
  kept.reserve(2'000);
  for (int i = 0; i < 2'000; ++i) kept.push_back(arena.copy(std::to_string(i)));
  for (int i = 0; i < 2'000; ++i) EXPECT_EQ(kept[static_cast<std::size_t>(i)], std::to_string(i));
  EXPECT_EQ(arena.copy(""), "");
  const std::string large(100'000, 'x');
  EXPECT_EQ(arena.copy(large), large);
}

}  // namespace
}  // namespace assay::primitives
