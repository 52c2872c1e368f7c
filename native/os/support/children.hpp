// Purpose: a batch of children that wait at a gate, and none of them left behind.
//
//   Children children(std::move(gate));
//   if (auto trouble = children.fork_one([] { _exit(0); })) return trouble;
//   children.release();                         // they run what they were forked for
//   if (auto trouble = children.wait_for_all()) return trouble;
//
// Thread safety: one owner. Cost: fork_one is a fork and a store.
#pragma once

#include <assay/os/support/child.hpp>
#include <assay/os/support/start_latch.hpp>

#include <unistd.h>

#include <cstdlib>
#include <vector>

namespace assay::os {

class Children {
 public:
  explicit Children(Gate gate) : gate_(std::move(gate)) {}
  ~Children() {
    for (const pid_t child : pids_) end_child(child);
  }
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;

  /// Room for so many, so that fork_one allocates nothing.
  void reserve(Calls count) { pids_.reserve(static_cast<std::size_t>(count)); }

  template <class Ending>
  Trouble fork_one(const Ending& ending) {
    const pid_t child = fork_child();
    if (child == 0) {
      gate_.wait_here();
      ending();
      _exit(0);
    }
    if (child < 0) return failed("fork of child " + std::to_string(pids_.size() + 1));
    pids_.push_back(child);
    return fine;
  }

  void until_waiting() const { gate_.until_waiting(static_cast<std::int64_t>(pids_.size())); }
  void release() const { gate_.open(); }

  Trouble wait_for_all() {
    while (!pids_.empty()) {
      const pid_t child = pids_.back();
      pids_.pop_back();
      if (auto trouble = wait_for_success(child)) return trouble;
    }
    gate_.close();
    return fine;
  }

 private:
  Gate gate_;
  std::vector<pid_t> pids_;
};

}  // namespace assay::os
