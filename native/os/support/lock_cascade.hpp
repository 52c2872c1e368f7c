// Purpose: the dance of the cascade cases: each worker waits for locks its neighbour holds.
//
//   class Locks { bool block(int index); bool unblock(int index); };
//   .stage = sharing<Locks, Cascade<Locks>>      // indices 0 to 2 x workers - 1
//
// Every worker begins holding a lock of the next one; the last of the ring takes its two in
// the other order, so that the locks are handed round once and nobody waits for ever.
//
// Thread safety: as the locks. Cost: eleven steps a call. Where there are several workers, a
// call of each must meet one of each other: batches are one call long.
#pragma once

#include <assay/os/harness/case.hpp>
#include <assay/system/file_descriptor.hpp>

#include <array>

namespace assay::os {

/// Locks of a worker and of the next one, by index.
struct CascadePlace {
  int us0, us1, them0, them1;

  explicit CascadePlace(const Place& place);
};

template <class Locks>
class Cascade final : public Work {
 public:
  Cascade(Locks& locks, const Place& place)
      : locks_(locks), at_(place), alone_(place.workers == 1) {}

  [[nodiscard]] Calls most_calls() const override { return alone_ ? any_number : 1; }

  Trouble prepare(Calls /*calls*/) override { return checked(locks_.block(at_.them0)); }

  Trouble run(Calls calls) override {
    bool done = once();
    for (Calls i = 1; i < calls && done; ++i) done = locks_.block(at_.them0) && once();
    return checked(done);
  }

 private:
  bool once() {
    return locks_.block(at_.us0) && locks_.unblock(at_.us0) && locks_.block(at_.them1) &&
           locks_.unblock(at_.them0) && locks_.block(at_.us1) && locks_.unblock(at_.us1) &&
           locks_.block(at_.them0) && locks_.unblock(at_.them1) && locks_.block(at_.us0) &&
           locks_.unblock(at_.them0) && locks_.unblock(at_.us0);
  }
  static Trouble checked(bool done) {
    if (done) return fine;
    return failed("locking");
  }

  Locks& locks_;
  const CascadePlace at_;
  const bool alone_;
};

/// The files of one worker's locks. Each worker opens the four it needs for itself: what
/// flock() locks is the opening, which a forked process would share with its parent.
class CascadeFiles {
 public:
  static Made<CascadeFiles> make(const Setting& setting, const Place& place);
  CascadeFiles(const CascadePlace& place, std::array<FileDescriptor, 4> files)
      : place_(place), files_(std::move(files)) {}

  /// The descriptor of the lock with this index.
  [[nodiscard]] int of(int index) const;

 private:
  CascadePlace place_;
  std::array<FileDescriptor, 4> files_;
};

/// A cascade over such files: .stage = each<FileCascade<Locks>>, with Locks(CascadeFiles&).
template <class Locks>
class FileCascade final : public Work {
 public:
  static Made<FileCascade> make(const Setting& setting, const Place& place) {
    auto files = CascadeFiles::make(setting, place);
    if (!files) return files.error();
    return std::make_unique<FileCascade>(std::move(files).value(), place);
  }
  FileCascade(std::unique_ptr<CascadeFiles> files, const Place& place)
      : files_(std::move(files)), locks_(*files_), cascade_(locks_, place) {}

  [[nodiscard]] Calls most_calls() const override { return cascade_.most_calls(); }
  Trouble prepare(Calls calls) override { return cascade_.prepare(calls); }
  Trouble run(Calls calls) override { return cascade_.run(calls); }

 private:
  std::unique_ptr<CascadeFiles> files_;
  Locks locks_;
  Cascade<Locks> cascade_;
};

/// The option of cascades over files. parse_command takes it for --dir.
inline constexpr Option cascade_folder =
    text('d', "folder", "", "folder of the files that are locked");

}  // namespace assay::os
