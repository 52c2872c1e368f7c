// Purpose: blocks signals while it lives, and waits for them, so that no handler is needed.
//
//   assay::SignalBlock signals({SIGCHLD, SIGINT, SIGTERM});
//   while (!child.ended()) {
//     if (const auto signal = signals.wait(1ms); signal == SIGINT) break;
//   }
//
// A signal that arrives is kept until it is waited for; two of the same kind may become one.
//
// Thread safety: it blocks the signals of the thread that made it, and of the threads and processes
// that thread makes from then on. Cost: a system call to make, to wait and to end.
#pragma once

#include <chrono>
#include <csignal>
#include <initializer_list>
#include <optional>

namespace assay {

class SignalBlock {
 public:
  SignalBlock(std::initializer_list<int> signals);
  ~SignalBlock();
  SignalBlock(const SignalBlock&) = delete;
  SignalBlock& operator=(const SignalBlock&) = delete;

  /// The next of the signals; nothing when none came in time.
  [[nodiscard]] std::optional<int> wait(std::chrono::nanoseconds at_most) const;

  /// The next of the signals, however long it takes; nothing when another signal interrupted.
  [[nodiscard]] std::optional<int> wait() const;

  /// What was blocked before: a child restores it before it becomes another program.
  [[nodiscard]] const sigset_t& before() const { return before_; }

 private:
  sigset_t signals_{};
  sigset_t before_{};
};

}  // namespace assay
