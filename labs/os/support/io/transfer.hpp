// Purpose: the work of the read and write cases: each call moves bytes between file and buffer.
//
//   struct Read { ssize_t operator()(int file, char* buffer, std::size_t bytes) const; };
//   .stage = each<Transfer<Read, O_RDONLY, InTurn::yes>>
//
// With InTurn::yes each call goes on where the last one ended, and each batch begins at the start
// of the file and ends within its first MiB. So no call reads past its end, and no file grows.
//
// Thread safety: one owner, its own opening of the file. Cost: the check of the result.
#pragma once

#include <assay/base/do_not_optimize.hpp>
#include <assay/os/support/descriptors.hpp>
#include <assay/os/support/page_buffer.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace assay::os {

enum class InTurn : std::uint8_t { no, yes };

/// How many calls of `bytes` fit into the file or its first MiB, whichever is less; at least 1. No
/// limit (any_number) where it is not a regular file.
Calls calls_within(int file, std::int64_t bytes);

template <class Call, int flags, InTurn in_turn>
class Transfer final : public Work {
 public:
  static Made<Transfer> make(const Setting& setting) {
    return made_of<Transfer>(open_file(setting.text('f'), flags), setting);
  }
  Transfer(FileDescriptor file, const Setting& setting)
      : file_(std::move(file)),
        call_(setting),
        bytes_(setting.number('s')),
        store_every_(setting.has('w') && setting.flag('w') ? 4096 : 0),
        buffer_(bytes_) {}

  [[nodiscard]] Calls most_calls() const override {
    if (in_turn == InTurn::no) return any_number;
    return calls_within(file_.number(), bytes_ * call_.buffers());
  }

  Status prepare(Calls /*calls*/) override {
    if (in_turn == InTurn::yes && lseek(file_.number(), 0, SEEK_SET) < 0) return failed("lseek");
    return {};
  }

  Status run(Calls calls) override {
    const auto bytes = static_cast<std::size_t>(bytes_);
    const ssize_t whole = bytes_ * call_.buffers();
    for (Calls i = 0; i < calls; ++i) {
      if (call_(file_.number(), buffer_.begin(), bytes) != whole) {
        return failed("not all of " + std::to_string(whole) + " bytes");
      }
      if (store_every_ == 0) continue;
      for (std::int64_t at = 0; at < bytes_; at += store_every_) buffer_.begin()[at] = 0;
      clobber_memory();
    }
    return {};
  }

 private:
  const FileDescriptor file_;
  const Call call_;
  const std::int64_t bytes_;
  const std::int64_t store_every_;
  PageBuffer buffer_;
};

inline std::vector<Option> transfer_options(std::string_view file) {
  return {text('f', "file", file, "file that is read or written"),
          number('s', "size", "1k", "bytes in a call")};
}

}  // namespace assay::os
