// Purpose: the work of the cascade cases: each worker waits for locks that its neighbour holds.
//
//   class Locks { bool block(int index); bool unblock(int index); };
//   .stage = sharing<Locks, Cascade<Locks>>      // indices 0 to 2 x workers - 1
//
// Every worker begins holding a lock of the next one. The last worker of the ring takes its two
// locks in the other order, so that the locks are passed round once without a deadlock.
//
// Thread safety: that of the locks. Cost: eleven lock operations a call. With several workers, each
// call must meet a call of each other worker, so a batch is one call.
#pragma once

#include <assay/os/harness/case.hpp>
#include <assay/system/file_descriptor.hpp>

#include <array>

namespace assay::os {

/// The indices of the locks of a worker and of the next worker in the ring.
struct LockIndices {
  int own_first, own_second, next_first, next_second;

  explicit LockIndices(const WorkerId& worker);
};

template <class Locks>
class Cascade final : public Work {
 public:
  Cascade(Locks& locks, const WorkerId& worker)
      : locks_(locks), at_(worker), alone_(worker.workers == 1) {}

  [[nodiscard]] Calls most_calls() const override { return alone_ ? any_number : 1; }

  Status prepare(Calls /*calls*/) override { return checked(locks_.block(at_.next_first)); }

  Status run(Calls calls) override {
    bool done = run_cascade();
    for (Calls i = 1; i < calls && done; ++i) done = locks_.block(at_.next_first) && run_cascade();
    return checked(done);
  }

 private:
  bool run_cascade() {
    return locks_.block(at_.own_first) && locks_.unblock(at_.own_first) &&
           locks_.block(at_.next_second) && locks_.unblock(at_.next_first) &&
           locks_.block(at_.own_second) && locks_.unblock(at_.own_second) &&
           locks_.block(at_.next_first) && locks_.unblock(at_.next_second) &&
           locks_.block(at_.own_first) && locks_.unblock(at_.next_first) &&
           locks_.unblock(at_.own_first);
  }
  static Status checked(bool done) {
    if (done) return {};
    return failed("locking");
  }

  Locks& locks_;
  const LockIndices at_;
  const bool alone_;
};

/// The descriptors of the four lock files that one worker needs. Each worker opens them for itself:
/// a flock() lock belongs to the open file description, which a forked process would share with its
/// parent.
class CascadeFiles {
 public:
  static Made<CascadeFiles> make(const Setting& setting, const WorkerId& worker);
  CascadeFiles(const LockIndices& indices, std::array<FileDescriptor, 4> files)
      : indices_(indices), files_(std::move(files)) {}

  /// The descriptor of the lock with this index.
  [[nodiscard]] int of(int index) const;

 private:
  LockIndices indices_;
  std::array<FileDescriptor, 4> files_;
};

/// A cascade over the locks of CascadeFiles: .stage = each<FileCascade<Locks>>, with
/// Locks(CascadeFiles&).
template <class Locks>
class FileCascade final : public Work {
 public:
  static Made<FileCascade> make(const Setting& setting, const WorkerId& worker) {
    return made_of<FileCascade>(CascadeFiles::make(setting, worker), worker);
  }
  FileCascade(std::unique_ptr<CascadeFiles> files, const WorkerId& worker)
      : files_(std::move(files)), locks_(*files_), cascade_(locks_, worker) {}

  [[nodiscard]] Calls most_calls() const override { return cascade_.most_calls(); }
  Status prepare(Calls calls) override { return cascade_.prepare(calls); }
  Status run(Calls calls) override { return cascade_.run(calls); }

 private:
  std::unique_ptr<CascadeFiles> files_;
  Locks locks_;
  Cascade<Locks> cascade_;
};

/// The option -d of cascades over files. parse_command() gives its value to --dir.
inline constexpr Option cascade_folder =
    text('d', "folder", "", "folder of the files that are locked");

}  // namespace assay::os
