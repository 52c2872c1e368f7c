// Purpose: a case whose call moves the first -s bytes of a file to another file, in the kernel.
//
//   struct Sendfile {
//     static Result<FileDescriptor> target(const Setting& setting, const WorkerId& worker);
//     static bool moved(int from, int to, std::int64_t bytes);   // false: errno says why
//     static Error error();                                      // made of errno
//   };
//   .stage = each<FileToFile<Sendfile>>
//
// Thread safety: each worker has descriptors of its own. Cost: none; the call is inlined.
#pragma once

#include <assay/os/harness/case.hpp>
#include <assay/os/support/descriptors.hpp>

#include <fcntl.h>

namespace assay::os {

template <class Call>
class FileToFile final : public Work {
 public:
  static Made<FileToFile> make(const Setting& setting, const WorkerId& worker) {
    auto from = open_file(setting.text('f'), O_RDONLY);
    if (!from) return from.error();
    auto to = Call::target(setting, worker);
    if (!to) return to.error();
    return std::make_unique<FileToFile>(std::move(from).value(), std::move(to).value(),
                                        setting.number('s'));
  }
  FileToFile(FileDescriptor from, FileDescriptor to, std::int64_t bytes)
      : from_(std::move(from)), to_(std::move(to)), bytes_(bytes) {}

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      if (!Call::moved(from_.number(), to_.number(), bytes_)) return Call::error();
    }
    return {};
  }

 private:
  const FileDescriptor from_;
  const FileDescriptor to_;
  const std::int64_t bytes_;
};

}  // namespace assay::os
