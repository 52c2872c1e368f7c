// Purpose: memory that a process shares with those it forks.
//
//   auto pages = assay::SharedPages::make(sizeof(Counts));
//   auto* counts = pages->as<Counts>();   // zeroed; the children see what anybody writes
//
// Those shared with threads only look the same, but a child that is forked has a copy.
//
// Thread safety: the owner alone moves it; what lies in it is the user's business.
// Cost: one mmap; the first touch of each page is a fault, so touch it before timing.
#pragma once

#include <assay/base/result.hpp>

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <utility>

namespace assay {

class SharedPages {
 public:
  enum class With { children, threads };

  static Result<SharedPages> make(std::size_t bytes, With with = With::children) {
    const int kind = with == With::children ? MAP_SHARED : MAP_PRIVATE;
    void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
      return Error{"cannot map " + std::to_string(bytes) + " bytes", "shared memory",
                   "fewer workers or samples need less", errno};
    }
    return SharedPages(pages, bytes);
  }

  SharedPages(SharedPages&& other) noexcept
      : pages_(std::exchange(other.pages_, nullptr)), bytes_(other.bytes_) {}
  SharedPages& operator=(SharedPages&& other) noexcept {
    std::swap(pages_, other.pages_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  SharedPages(const SharedPages&) = delete;
  SharedPages& operator=(const SharedPages&) = delete;
  ~SharedPages() {
    if (pages_ != nullptr) munmap(pages_, bytes_);
  }

  /// The whole of it as T's: one, or an array of as many as were asked room for.
  template <class T>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(pages_);
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  SharedPages(void* pages, std::size_t bytes) : pages_(pages), bytes_(bytes) {}

  void* pages_;
  std::size_t bytes_;
};

}  // namespace assay
