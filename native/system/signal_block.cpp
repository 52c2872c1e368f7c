#include <assay/system/signal_block.hpp>

#include <assay/base/units.hpp>
#include <assay/system/child_process.hpp>

namespace assay {

SignalBlock::SignalBlock(std::initializer_list<int> signals) {
  sigemptyset(&signals_);
  for (const int signal : signals) sigaddset(&signals_, signal);
  sigprocmask(SIG_BLOCK, &signals_, &before_);
  if (sigismember(&signals_, SIGCHLD) == 1) keep_child_statuses();
}

SignalBlock::~SignalBlock() {
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<int> SignalBlock::wait(std::chrono::nanoseconds at_most) const {
  const timespec timeout{.tv_sec = at_most.count() / ns_per_s,
                         .tv_nsec = at_most.count() % ns_per_s};
  const int signal = sigtimedwait(&signals_, nullptr, &timeout);
  return signal > 0 ? std::optional(signal) : std::nullopt;
}

std::optional<int> SignalBlock::wait() const {
  const int signal = sigwaitinfo(&signals_, nullptr);
  return signal > 0 ? std::optional(signal) : std::nullopt;
}

}  // namespace assay
