#include <assay/system/signal_block.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

namespace assay {
namespace {

using std::chrono::milliseconds;

TEST(SignalBlock, KeepsASignalUntilItIsWaitedFor) {
  const SignalBlock signals({SIGUSR1, SIGUSR2});
  kill(getpid(), SIGUSR2);  // unblocked, it would end the process
  EXPECT_EQ(signals.wait(milliseconds(5000)), SIGUSR2);
  EXPECT_EQ(signals.wait(milliseconds(0)), std::nullopt);
  kill(getpid(), SIGUSR1);
  EXPECT_EQ(signals.wait(), SIGUSR1);
}

TEST(SignalBlock, GivesBackWhatWasBlockedBefore) {
  sigset_t now;
  {
    const SignalBlock signals({SIGUSR1});
    EXPECT_EQ(sigismember(&signals.before(), SIGUSR1), 0);
    sigprocmask(SIG_SETMASK, nullptr, &now);
    EXPECT_EQ(sigismember(&now, SIGUSR1), 1);
  }
  sigprocmask(SIG_SETMASK, nullptr, &now);
  EXPECT_EQ(sigismember(&now, SIGUSR1), 0);
}

}  // namespace
}  // namespace assay
