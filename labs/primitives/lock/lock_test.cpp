#include <assay/primitives/lock/lock_types.hpp>

#include <gtest/gtest.h>

namespace assay::primitives {
namespace {

struct OpenDoor {
  void lock(std::uint32_t /*priority*/) {}
  void unlock() {}
  void lock_shared() {}
  void unlock_shared() {}
};

/// Broken on purpose: lets in only one reader at a time.
struct OneReader : LockType::Mutex {
  void lock_shared() { lock(0); }
  void unlock_shared() { unlock(); }
};

struct DeafToPriority : PriorityLock {
  void lock(std::uint32_t /*priority*/) { PriorityLock::lock(0); }
};

TEST(LockChecks, CatchALockThatLetsEverybodyIn) {
  const Problem problem = check_exclusion<OpenDoor>();
  ASSERT_TRUE(problem.has_value());
  EXPECT_NE(problem->find("guarded increments were lost"), std::string::npos) << *problem;
}

TEST(LockChecks, CatchReadersThatSeeHalfAWrite) {
  // Tried repeatedly: on a busy machine the threads may run one after the other.
  Problem problem;
  for (int tries = 0; tries < 100 && !problem; ++tries) {
    problem = check_readers_see_whole_writes<OpenDoor>();
  }
  EXPECT_EQ(problem, "a reader saw half of a write");
}

TEST(LockChecks, CatchALockThatSharesNothing) {
  EXPECT_EQ(check_shared<OneReader>(), "two readers were never inside together");
}

TEST(LockChecks, CatchAnOrderThatIgnoresPriority) {
  EXPECT_EQ(check_priority<DeafToPriority>(), "priorities were served in the order 2 7 0 4 7");
}

}  // namespace
}  // namespace assay::primitives
