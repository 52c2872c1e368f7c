// For every group: each primitive does what it is timed for, and its name can be parsed.
#include <assay/primitives/group.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace assay::primitives {

TEST(Checks, EveryPrimitiveIsRight) {
  const Group made = group();
  ASSERT_FALSE(made.primitives().empty());
  for (const Primitive& primitive : made.primitives()) {
    ASSERT_TRUE(primitive.check) << primitive.name << " has no check";
    const Problem problem = primitive.check();
    EXPECT_FALSE(problem.has_value()) << primitive.name << ": " << problem.value_or("");
  }
}

TEST(Checks, NamesAreOnceOnlyAndInOneStyle) {
  std::set<std::string> seen;
  const Group made = group();
  for (const Primitive& primitive : made.primitives()) {
    EXPECT_TRUE(seen.insert(primitive.name).second) << primitive.name << " is there twice";
    EXPECT_EQ(primitive.name.rfind("bench_", 0), 0U) << primitive.name;
    EXPECT_EQ(primitive.name.back(), '>') << primitive.name;
  }
}

}  // namespace assay::primitives
