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
  Result<SharedPages> pages_ = SharedPages::make(sizeof(Board));
  Board& board_ = *new (pages_->as<void>()) Board;
};

TEST_F(TeamTest, AllMeetAtTheBarrier) {
  const auto trouble = run_team({.processes = 3, .threads = 4}, {}, [&](const Member& member) {
    for (int round = 1; round <= 50; ++round) {
      board_.came.fetch_add(1);
      if (!member.barrier->wait()) return std::optional<Error>(Error{"abandoned"});
      if (board_.came.load() != 12 * round) board_.too_early.fetch_add(1);
      if (!member.barrier->wait()) return std::optional<Error>(Error{"abandoned"});
    }
    board_.pid[member.index] = getpid();
    return std::optional<Error>();
  });
  EXPECT_FALSE(trouble) << trouble->line();
  EXPECT_EQ(board_.came, 600);
  EXPECT_EQ(board_.too_early, 0);
  std::set<pid_t> pids(board_.pid, board_.pid + 12);
  EXPECT_EQ(pids.size(), 3U);
  EXPECT_FALSE(pids.contains(0)) << "an index was left out";
  EXPECT_FALSE(pids.contains(getpid()));
}

TEST_F(TeamTest, InThisProcess) {
  const auto trouble =
      run_team({.threads = 2, .in_this_process = true}, {}, [&](const Member& member) {
        board_.pid[member.index] = getpid();
        return std::optional<Error>();
      });
  EXPECT_FALSE(trouble);
  EXPECT_EQ(board_.pid[0], getpid());
  EXPECT_EQ(board_.pid[1], getpid());
}

TEST_F(TeamTest, TroubleOfOneReleasesTheOthers) {
  const auto trouble = run_team({.processes = 2, .threads = 2}, {}, [&](const Member& member) {
    if (member.index == 2) return std::optional<Error>(Error{"broken", "here", "mend it", 7});
    while (member.barrier->wait()) {
    }
    board_.came.fetch_add(1);
    return std::optional<Error>();
  });
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->line(), "here: broken (mend it)");
  EXPECT_EQ(trouble->errno_value, 7);
  EXPECT_EQ(board_.came, 3);
}

TEST_F(TeamTest, DeathOfOneReleasesTheOthers) {
  const auto trouble = run_team({.processes = 3}, {}, [&](const Member& member) {
    if (member.index == 1) raise(SIGKILL);
    while (member.barrier->wait()) {
    }
    board_.came.fetch_add(1);
    return std::optional<Error>();
  });
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->line(), "team: worker process 1 was ended by signal 9");
  EXPECT_EQ(board_.came, 2);
}

TEST_F(TeamTest, OneThatHangsIsEnded) {
  const TeamLimit limit{.longest_ns = 50'000'000, .grace_ns = 20'000'000};
  const auto trouble = run_team({.processes = 2}, limit, [&](const Member& member) {
    board_.pid[member.index] = getpid();
    if (member.index == 0) return std::optional<Error>();
    while (true) pause();
  });
  ASSERT_TRUE(trouble);
  EXPECT_NE(trouble->line().find("did not end within 50 ms"), std::string::npos);
  EXPECT_EQ(kill(board_.pid[1], 0), -1) << "it still runs";
}

TEST_F(TeamTest, NobodyIsNoTeam) {
  EXPECT_TRUE(run_team({.processes = 0}, {}, [](const Member&) { return std::optional<Error>(); }));
}

}  // namespace
}  // namespace assay
