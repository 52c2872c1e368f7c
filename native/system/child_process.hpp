// Purpose: processes made by fork, none of which outlives the one that made it.
//
//   const pid_t child = assay::fork_tied();
//   if (child == 0) _exit(0);
//   if (assay::Status done = assay::wait_for_success(child); !done) return done.error();
//
//   assay::ChildProcess worker([] { work(); }, {.own_group = true});
//   while (!worker.ended()) poll(nullptr, 0, 1);
//
// A child asks the kernel to be killed when the thread that forked it ends. The thread may end
// before the child has asked, so the child then checks that its parent is still the same.
//
// Thread safety: any thread may fork; a child ends with the thread that forked it.
// Cost: one prctl() and one getppid() in the child, about 0.1 us of its time. A fork of a small
// process takes about 0.1 ms, of a process of many gigabytes some milliseconds.
#pragma once

#include <assay/base/result.hpp>

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

namespace assay {

/// Asks the kernel to kill this process when the thread that made it ends. False: it has ended
/// already, or `parent` is not the parent. Calls nothing that a child of vfork() may not call.
bool tie_to_parent(pid_t parent) noexcept;

/// fork(), with the child tied to this thread. -1 and errno as fork().
pid_t fork_tied() noexcept;

/// Waits for the child; an error unless it exited with 0. A pid of -1 is a fork that failed.
Status wait_for_success(pid_t child);

/// Kills a child and waits for its end, as after an error. A pid below 1 is ignored.
void end_child(pid_t child);

/// Sets an ignored SIGCHLD to its default, so that waitpid() tells how children end. A program may
/// inherit an ignored SIGCHLD; the kernel then discards how each child ended, and a crash cannot
/// be told from success. fork_tied() calls it; others call it before they make a child.
void keep_child_statuses() noexcept;

/// A status of waitpid() in words: "was killed by signal 11 (Segmentation fault)", "exited
/// with 0".
std::string ending_of(int status);

/// One child that runs a function; killed and reaped by the destructor.
class ChildProcess {
 public:
  struct How {
    bool own_group{false};       // a process group of its own: Ctrl-C reaches its owner only
    bool default_signals{true};  // no signal is blocked, whatever its owner blocks
  };

  /// `work` runs in the child, which then exits with 0.
  explicit ChildProcess(const std::function<void()>& work) : ChildProcess(work, How{}) {}
  ChildProcess(const std::function<void()>& work, How how);
  ~ChildProcess() { kill(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  [[nodiscard]] bool started() const { return started_; }
  /// Whether it has ended, also where somebody else waited for it.
  [[nodiscard]] bool ended();
  void kill();

  /// What ending_of() says of the child's status; "did not start" where fork() failed.
  [[nodiscard]] std::string how_it_ended() const;
  [[nodiscard]] bool exited_with_0() const;

 private:
  pid_t process_{-1};
  bool started_{false};
  std::optional<int> status_{};
};

}  // namespace assay
