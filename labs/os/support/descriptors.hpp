// Purpose: how many descriptors a batch may open, and opening them with a reason on failure.
//
//   [[nodiscard]] Calls most_calls() const override { return calls_for_descriptors(2); }
//
// Thread safety: any thread. Cost: a system call or two, untimed.
#pragma once

#include <assay/os/harness/case.hpp>
#include <assay/system/file_descriptor.hpp>

namespace assay::os {

/// The longest batch when each call holds `each` descriptors: within the process's limit of
/// descriptors, divided among `threads`, and at most 1000 calls.
Calls calls_for_descriptors(int each, int threads = 1);

/// An Error that names the limit that is too low, when `needed` more descriptors cannot be opened.
Status need_descriptors(std::int64_t needed);

/// open(), with the path in the Error.
Result<FileDescriptor> open_file(const std::string& path, int flags, unsigned mode = 0600);

}  // namespace assay::os
