// Purpose: a new folder that is locked for as long as its process lives, by which a later run tells
// it from what a killed run left.
//
//   const auto made = assay::make_locked_folder("/tmp", "assay-crash-", "set TMPDIR");
//   if (!made) return made.error();
//
// Whoever cleans up takes the lock of a folder with flock() and removes the folder only then.
//
// Errors: no folder is left that is not locked. Thread safety: any thread. Cost: before measuring.
#pragma once

#include <assay/base/result.hpp>
#include <assay/system/file_descriptor.hpp>

#include <filesystem>
#include <string>

namespace assay {

struct LockedFolder {
  std::filesystem::path path{};
  FileDescriptor lock{};  // the kernel releases it, also where the process is killed
};

/// Makes a folder in `base` whose name is `prefix` and six letters. `hint` goes into the error.
Result<LockedFolder> make_locked_folder(const std::filesystem::path& base,
                                        const std::string& prefix, const std::string& hint);

}  // namespace assay
