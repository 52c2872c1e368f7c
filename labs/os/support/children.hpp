// Purpose: a batch of children that wait at a latch. The destructor ends those that are left.
//
//   Children children(std::move(latch));
//   if (Status done = children.fork_one([] { _exit(0); }); !done) return done;
//   children.release();                         // they run what they were forked for
//   if (Status done = children.wait_for_all(); !done) return done;
//
// Thread safety: one owner. Cost: fork_one is a fork and a store.
#pragma once

#include <assay/os/support/start_latch.hpp>
#include <assay/system/child_process.hpp>

#include <unistd.h>

#include <cstdlib>
#include <vector>

namespace assay::os {

class Children {
 public:
  explicit Children(StartLatch latch) : latch_(std::move(latch)) {}
  ~Children() {
    for (const pid_t child : pids_) end_child(child);
  }
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

  /// Reserves memory for `count` children, so that fork_one() allocates nothing.
  void reserve(Calls count) { pids_.reserve(static_cast<std::size_t>(count)); }

  template <class Ending>
  Status fork_one(const Ending& ending) {
    const pid_t child = fork_tied();
    if (child == 0) {
      latch_.wait_here();
      ending();
      _exit(0);
    }
    if (child < 0) return failed("fork of child " + std::to_string(pids_.size() + 1));
    pids_.push_back(child);
    return {};
  }

  void until_waiting() const { latch_.until_waiting(static_cast<std::int64_t>(pids_.size())); }
  void release() const { latch_.open(); }

  Status wait_for_all() {
    while (!pids_.empty()) {
      const pid_t child = pids_.back();
      pids_.pop_back();
      if (Status done = wait_for_success(child); !done) return done;
    }
    latch_.close();
    return {};
  }

 private:
  StartLatch latch_;
  std::vector<pid_t> pids_;
};

}  // namespace assay::os
