#include <assay/system/child_process.hpp>

#include <assay/system/shared_pages.hpp>

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

namespace assay {
namespace {

TEST(ChildProcess, RunsItsWorkAndExitsWith0) {
  const auto number = Shared<std::atomic<int>>::make(0);
  ASSERT_TRUE(number);
  ChildProcess child([&] { (*number)->store(7); });
  ASSERT_TRUE(child.started());
  while (!child.ended()) poll(nullptr, 0, 1);
  EXPECT_TRUE(child.exited_with_0());
  EXPECT_EQ(child.how_it_ended(), "exited with 0");
  EXPECT_EQ((*number)->load(), 7);
}

TEST(ChildProcess, IsKilledByItsOwner) {
  ChildProcess child([] { pause(); });
  EXPECT_FALSE(child.ended());
  child.kill();
  EXPECT_FALSE(child.exited_with_0());
  EXPECT_EQ(child.how_it_ended(), "was killed by signal 9 (Killed)");
}

TEST(ChildProcess, HasEndedWhereSomebodyElseWaitedForIt) {
  ChildProcess child([] {});
  while (waitpid(-1, nullptr, 0) < 0 && errno == EINTR) continue;
  EXPECT_TRUE(child.ended());
  EXPECT_FALSE(child.exited_with_0());
  EXPECT_EQ(child.how_it_ended(), "ended, and somebody else was told how");
}

TEST(ChildProcess, HasAGroupOfItsOwnWhereAsked) {
  const auto group = Shared<std::atomic<int>>::make(0);
  ASSERT_TRUE(group);
  ChildProcess child([&] { (*group)->store(getpgrp() == getpid() ? 1 : 2); }, {.own_group = true});
  while (!child.ended()) poll(nullptr, 0, 1);
  EXPECT_EQ((*group)->load(), 1);
}

TEST(WaitForSuccess, SaysHowAChildEnded) {
  const auto after = [](auto ending) {
    const pid_t child = fork_tied();
    if (child == 0) ending();
    const Status done = wait_for_success(child);
    return done ? std::string("done") : done.error().what;
  };
  EXPECT_EQ(after([] { _exit(0); }), "done");
  EXPECT_EQ(after([] { _exit(3); }), "the child exited with code 3");
  EXPECT_EQ(after([] { raise(SIGKILL); }), "the child was ended by signal 9");
}

TEST(ChildStatuses, TheSignalWasIgnored) {
  std::signal(SIGCHLD, SIG_IGN);
  const pid_t child = fork_tied();
  if (child == 0) _exit(3);
  const Status done = wait_for_success(child);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().what, "the child exited with code 3");
}

TEST(ChildStatuses, AHandlerOfTheProgramsStays) {
  const auto handler = [](int) {};
  std::signal(SIGCHLD, handler);
  keep_child_statuses();
  EXPECT_EQ(std::signal(SIGCHLD, SIG_DFL), static_cast<void (*)(int)>(handler));
}

TEST(ForkTied, AChildDiesWithItsParent) {
  const auto grandchild = Shared<std::atomic<int>>::make(0);
  ASSERT_TRUE(grandchild);
  const pid_t parent = fork_tied();
  if (parent == 0) {
    const pid_t child = fork_tied();
    if (child == 0) pause();
    (*grandchild)->store(child);
    _exit(0);
  }
  ASSERT_EQ(waitpid(parent, nullptr, 0), parent);
  const int pid = (*grandchild)->load();
  ASSERT_GT(pid, 0);
  for (int tries = 0; tries < 2000 && kill(pid, 0) == 0; ++tries) {
    // Reaps the grandchild if this process is its subreaper.
    if (waitpid(pid, nullptr, WNOHANG) == pid) break;
    poll(nullptr, 0, 1);
  }
  EXPECT_NE(kill(pid, 0), 0);
}

TEST(TieToParent, RefusesAnyOtherParent) {
  const pid_t child = fork();
  if (child == 0) _exit(tie_to_parent(1'999'999'999) ? 1 : 0);
  EXPECT_TRUE(wait_for_success(child));
}

}  // namespace
}  // namespace assay
