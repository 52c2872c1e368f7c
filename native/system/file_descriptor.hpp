// Purpose: a file descriptor that is closed when its owner is destroyed.
//
//   assay::FileDescriptor file(open(path, O_RDONLY | O_CLOEXEC));
//   if (!file) return assay::system_error(path, errno);
//
// Errors: a negative number is no descriptor: the object is then false, and closes nothing.
// Thread safety: a value, moved and not copied. Cost: one close().
#pragma once

#include <unistd.h>

#include <utility>

namespace assay {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (number_ >= 0) close(number_);
  }

  explicit operator bool() const { return number_ >= 0; }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_{-1};
};

}  // namespace assay
