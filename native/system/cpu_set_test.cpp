#include <assay/system/cpu_set.hpp>

#include <gtest/gtest.h>
#include <sched.h>

#include <string>

namespace assay {
namespace {

TEST(CpuSet, ReadsWhatTheKernelWrites) {
  EXPECT_EQ(CpuSet::parse("0-3,8")->in_order(), (std::vector<int>{0, 1, 2, 3, 8}));
  EXPECT_EQ(CpuSet::parse("5")->last_first(), (std::vector<int>{5}));
  EXPECT_EQ(CpuSet::parse("0-3,8")->last_first().front(), 8);
  EXPECT_EQ(CpuSet::parse("")->count(), 0);
  EXPECT_TRUE(CpuSet::parse("0-3,8")->has(8));
  EXPECT_FALSE(CpuSet::parse("0-3,8")->has(4));
}

TEST(CpuSet, RefusesWhatIsNoList) {
  for (const char* const text : {"x", "1-", "-1", "3-1", "1,,2", "1 2", "99999999", "0-70000"}) {
    const auto set = CpuSet::parse(text);
    ASSERT_FALSE(set) << text;
    EXPECT_EQ(set.error().line(), std::string(text) + ": not a list of CPUs");
  }
}

TEST(CpuSet, AThreadMayBePinnedAndFreedAgain) {
  const auto before = CpuSet::allowed();
  ASSERT_TRUE(before);
  const int last = before->last_first().front();
  ASSERT_TRUE(pin_this_thread(last));
  EXPECT_EQ(CpuSet::allowed()->in_order(), std::vector<int>{last});
  EXPECT_EQ(sched_getcpu(), last);
  ASSERT_TRUE(let_this_thread_run_on(*before));
  EXPECT_EQ(CpuSet::allowed()->in_order(), before->in_order());
}

TEST(CpuSet, ACpuThatIsNotThereIsNamed) {
  const Status pinned = pin_this_thread(1023);
  ASSERT_FALSE(pinned);
  EXPECT_EQ(pinned.error().where, "CPU 1023");
  EXPECT_EQ(pinned.error().hint, "not one this process may run on");
}

}  // namespace
}  // namespace assay
