// The counters by themselves, without hooks: so that sanitizers see them too.
#include <assay/measure/allocations/thread_tallies.hpp>

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

namespace assay::thread_tallies {
namespace {

TEST(ThreadTallies, AddUpInTheThreadThatCounts) {
  const AllocationTally before = of_this_thread();
  allocated(100, 104);
  freed(104);
  const AllocationTally expected{.allocs = 1,
                                 .frees = 1,
                                 .requested_bytes = 100,
                                 .usable_bytes = 104,
                                 .usable_freed_bytes = 104};
  EXPECT_EQ(of_this_thread() - before, expected);
}

TEST(ThreadTallies, KeepWhatEndedThreadsCounted) {
  const AllocationTally before = of_all_threads();
  constexpr int threads = 8;
  constexpr int events = 1000;
  std::vector<std::thread> team;
  team.reserve(threads);
  for (int i = 0; i < threads; ++i) {
    team.emplace_back([] {
      for (int event = 0; event < events; ++event) allocated(10, 24);
    });
  }
  for (std::thread& member : team) member.join();
  const AllocationTally taken = of_all_threads() - before;
  EXPECT_EQ(taken.allocs, std::uint64_t{threads} * events);
  EXPECT_EQ(taken.requested_bytes, std::uint64_t{threads} * events * 10);
}

TEST(ThreadTallies, MayBeReadWhileOthersCount) {
  const AllocationTally before = of_all_threads();
  std::atomic<bool> counting{false};
  std::atomic<bool> enough{false};
  std::uint64_t events = 0;
  std::thread other([&] {
    for (; events == 0 || !enough; ++events) {
      freed(8);
      counting = true;
    }
  });
  while (!counting) std::this_thread::yield();
  std::uint64_t last = before.frees;
  int falls = 0;
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t now = of_all_threads().frees;
    if (now < last) ++falls;
    last = now;
  }
  enough = true;
  other.join();
  EXPECT_EQ(falls, 0);
  EXPECT_GT(last, before.frees);
  const AllocationTally taken = of_all_threads() - before;
  EXPECT_EQ(taken.frees, events);
  EXPECT_EQ(taken.usable_freed_bytes, 8 * events);
}

// A thread's destructors of thread-local objects may run after our thread-exit handler. The blocks
// that they free must still be counted, and not in memory that is gone.
TEST(ThreadTallies, CountEventsOfAThreadThatIsEnding) {
  static pthread_key_t late_key;
  ASSERT_EQ(pthread_key_create(&late_key,
                               [](void* rounds_left) {
                                 freed(16);
                                 auto left = reinterpret_cast<std::uintptr_t>(rounds_left);
                                 if (left > 1) {
                                   pthread_setspecific(late_key, reinterpret_cast<void*>(left - 1));
                                 }
                               }),
            0);
  const std::uint64_t before = of_all_threads().frees;
  std::thread([] {
    pthread_setspecific(late_key, reinterpret_cast<void*>(3));
    freed(16);
  }).join();
  EXPECT_EQ(of_all_threads().frees - before, 4U);
  pthread_key_delete(late_key);
}

#if defined(__SANITIZE_THREAD__)
#define ASSAY_FORK_TEST DISABLED_SurviveAForkWhileAnotherThreadCounts  // tsan itself may hang
#else
#define ASSAY_FORK_TEST SurviveAForkWhileAnotherThreadCounts
#endif

TEST(ThreadTallies, ASSAY_FORK_TEST) {
  std::atomic<bool> stop{false};
  std::thread reading([&stop] {
    while (!stop) of_all_threads();  // holds the lock most of the time
  });
  for (int i = 0; i < 100; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(5);  // a lock that stays taken must fail the test, not hang it
      const std::uint64_t before = of_all_threads().allocs;
      allocated(1, 8);
      _exit(of_all_threads().allocs - before == 1 ? 0 : 1);
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    if (status != 0) break;
  }
  stop = true;
  reading.join();
}

}  // namespace
}  // namespace assay::thread_tallies
