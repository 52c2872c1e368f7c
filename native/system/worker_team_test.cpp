#include <assay/system/worker_team.hpp>

#include <assay/system/shared_pages.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <set>

namespace assay {
namespace {

constexpr int most = 64;

struct Board {
  std::atomic<int> came{0};
  std::atomic<int> too_early{0};
  pid_t pid[most]{};
};

class TeamTest : public testing::Test {
 protected:
  Result<Shared<Board>> shared_ = Shared<Board>::make();
  Board& board_ = **shared_;
};

TEST_F(TeamTest, AllMeetAtTheBarrier) {
  const Status done = run_team({.processes = 3, .threads = 4}, {},
                               [&](const WorkerId& worker, WorkerBarrier& barrier) -> Status {
                                 for (int round = 1; round <= 50; ++round) {
                                   board_.came.fetch_add(1);
                                   if (!barrier.wait()) return Error{"abandoned"};
                                   if (board_.came.load() != 12 * round)
                                     board_.too_early.fetch_add(1);
                                   if (!barrier.wait()) return Error{"abandoned"};
                                 }
                                 board_.pid[worker.index] = getpid();
                                 return {};
                               });
  EXPECT_TRUE(done) << done.error().line();
  EXPECT_EQ(board_.came, 600);
  EXPECT_EQ(board_.too_early, 0);
  std::set<pid_t> pids(board_.pid, board_.pid + 12);
  EXPECT_EQ(pids.size(), 3U);
  EXPECT_FALSE(pids.contains(0)) << "an index was left out";
  EXPECT_FALSE(pids.contains(getpid()));
}

TEST_F(TeamTest, InThisProcess) {
  const Status done = run_team({.threads = 2, .in_this_process = true}, {},
                               [&](const WorkerId& worker, WorkerBarrier&) -> Status {
                                 board_.pid[worker.index] = getpid();
                                 return {};
                               });
  EXPECT_TRUE(done);
  EXPECT_EQ(board_.pid[0], getpid());
  EXPECT_EQ(board_.pid[1], getpid());
}

TEST_F(TeamTest, TroubleOfOneReleasesTheOthers) {
  const Status done = run_team({.processes = 2, .threads = 2}, {},
                               [&](const WorkerId& worker, WorkerBarrier& barrier) -> Status {
                                 if (worker.index == 2)
                                   return Error{"broken", "here", "mend it", 7};
                                 while (barrier.wait()) {
                                 }
                                 board_.came.fetch_add(1);
                                 return {};
                               });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().line(), "here: broken (mend it)");
  EXPECT_EQ(done.error().errno_value, 7);
  EXPECT_EQ(board_.came, 3);
}

TEST_F(TeamTest, DeathOfOneReleasesTheOthers) {
  const Status done =
      run_team({.processes = 3}, {}, [&](const WorkerId& worker, WorkerBarrier& barrier) -> Status {
        if (worker.index == 1) raise(SIGKILL);
        while (barrier.wait()) {
        }
        board_.came.fetch_add(1);
        return {};
      });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().line(), "team: worker process 1 was ended by signal 9");
  EXPECT_EQ(board_.came, 2);
}

TEST_F(TeamTest, OneThatHangsIsEnded) {
  const TeamLimit limit{.longest_ns = 50'000'000, .grace_ns = 20'000'000};
  const Status done =
      run_team({.processes = 2}, limit, [&](const WorkerId& worker, WorkerBarrier&) -> Status {
        board_.pid[worker.index] = getpid();
        if (worker.index == 0) return {};
        while (true) pause();
      });
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().line().find("did not end within 50 ms"), std::string::npos);
  EXPECT_EQ(kill(board_.pid[1], 0), -1) << "it still runs";
}

TEST_F(TeamTest, NobodyIsNoTeam) {
  EXPECT_FALSE(
      run_team({.processes = 0}, {}, [](const WorkerId&, WorkerBarrier&) { return Status(); }));
}

}  // namespace
}  // namespace assay
