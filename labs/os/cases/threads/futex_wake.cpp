// FUTEX_WAKE without a waiter; with -w it wakes a thread, which wakes us in turn.
#include <assay/os/harness/case.hpp>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <system_error>
#include <thread>

namespace assay::os {
namespace {

using Word = std::atomic<std::uint32_t>;

long wake_one(Word& word) {
  return syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

void sleep_while(Word& word, std::uint32_t value) {
  while (word.load() == value) {
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
  }
}

class FutexWake final : public Work {
 public:
  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      if (wake_one(word_) != 0) return failed("futex FUTEX_WAKE");
    }
    return {};
  }

 private:
  Word word_{0};
};

// Two threads hand a futex word over and back: each sleeps while it is the other's turn.
class FutexHandover final : public Work {
 public:
  static Made<FutexHandover> make(const Setting& /*setting*/) {
    auto work = std::make_unique<FutexHandover>();
    try {
      work->partner_ = std::thread([&turn = work->turn_] { answer(turn); });
    } catch (const std::system_error& error) {
      return Error{"cannot start the thread that is woken", "", "ulimit -u may be low",
                   error.code().value()};
    }
    return work;
  }
  FutexHandover() = default;
  ~FutexHandover() override {
    if (!partner_.joinable()) return;
    hand_over(turn_, over);
    partner_.join();
  }

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      if (hand_over(turn_, theirs) < 0) return failed("futex FUTEX_WAKE");
      sleep_while(turn_, theirs);
    }
    return {};
  }

 private:
  static constexpr std::uint32_t ours = 0, theirs = 1, over = 2;

  static long hand_over(Word& turn, std::uint32_t to) {
    turn.store(to);
    return wake_one(turn);
  }
  static void answer(Word& turn) {
    for (;;) {
      sleep_while(turn, ours);
      if (turn.load() == over) return;
      hand_over(turn, ours);
    }
  }

  Word turn_{ours};
  std::thread partner_;
};

Made<CaseFixture> wake_or_handover(const Setting& setting) {
  return setting.flag('w') ? each<FutexHandover>(setting) : each<FutexWake>(setting);
}

}  // namespace

Case futex_wake_case() {
  return {.name = "futex_wake",
          .summary = "futex(FUTEX_WAKE), nobody waiting",
          .options = {flag('w', "waiter", "a thread waits: it is woken, and wakes us")},
          .stage = wake_or_handover,
          .origin = Origin::linux_only};
}

}  // namespace assay::os
