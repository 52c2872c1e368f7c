// Purpose: a run's own folders and files, removed when it ends, or else when the next one begins.
//
//   const auto scratch = Scratch::make(dir);  // "": the usual places
//   if (!scratch) return scratch.error();
//   const auto path = scratch->resolve("@tmp");  // of a 10 MB file, made when asked
//
// The names it resolves:
//
//   @tmp  @disk            10 MB of zeros in memory (tmpfs) and on disk
//   @tmp.empty             a file of no bytes
//   @tmp.dir1  @tmp.dir2   directories ten levels deep, and @disk.dir1, @disk.dir2
//
// Each folder is locked while its run lives; the kernel releases the lock when the last process of
// the run ends, however it ends. make() removes folders that are not locked, and the System V
// semaphores whose keys are recorded in them.
//
// Thread safety: one owner. Cost: before measuring; 10 MB are written only when asked for.
#pragma once

#include <assay/base/result.hpp>
#include <assay/system/locked_folder.hpp>

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace assay::os {

class Scratch {
 public:
  static Result<Scratch> make(const std::string& dir);

  Scratch(Scratch&&) = default;
  Scratch& operator=(Scratch&&) = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();

  [[nodiscard]] std::string memory_folder() const { return memory_.string(); }
  [[nodiscard]] std::string disk_folder() const { return disk_.path.string(); }
  Result<std::string> resolve(const std::string& token) const;

 private:
  Scratch() = default;

  // A folder in memory; a file in it names the folder on disk, so that clean() finds both.
  LockedFolder home_;
  std::filesystem::path memory_;  // in one of the two
  LockedFolder disk_;
};

/// Makes a System V semaphore set and returns its id. Its key is recorded in `folder` before the
/// set is made, so that a later run can remove it even when this one is killed.
Result<int> make_semaphores(const std::string& folder, int count);

/// Removes the set, and the record of its key in `folder`.
void remove_semaphores(const std::string& folder, int id);

}  // namespace assay::os
