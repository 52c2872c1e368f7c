// Purpose: memory that a process shares with those it forks.
//
//   auto pages = assay::SharedPages::make(sizeof(Counts));
//   auto* counts = pages->as<Counts>();   // zeroed; the children see what anybody writes
//
//   auto state = assay::Shared<State>::make(arguments);   // one T, constructed
//   (*state)->count += 1;
//
// Pages made With::threads are shared by the threads of this process only: a forked child gets a
// copy of them.
//
// Thread safety: only the owner moves it; the user synchronises access to what lies in it.
// Cost: one mmap; the first touch of each page is a fault, so touch it before timing.
#pragma once

#include <assay/base/result.hpp>

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <new>
#include <string>
#include <type_traits>
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

  /// The memory as one T, or as an array of as many as it was made for.
  template <class T>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(pages_);
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  /// Gives up ownership: the pages stay mapped until the process ends.
  [[nodiscard]] void* release() && { return std::exchange(pages_, nullptr); }

 private:
  SharedPages(void* pages, std::size_t bytes) : pages_(pages), bytes_(bytes) {}

  void* pages_;
  std::size_t bytes_;
};

/// One T that this process and those it forks see. It is not destroyed, because its maker may
/// end before the others do: so it must be one that needs no destructor.
template <class T>
class Shared {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  template <class... Arguments>
  static Result<Shared> make(Arguments&&... arguments) {
    auto pages = SharedPages::make(sizeof(T));
    if (!pages) return pages.error();
    new (pages->template as<void>()) T(std::forward<Arguments>(arguments)...);
    return Shared(std::move(pages).value());
  }

  T& operator*() const { return *pages_.template as<T>(); }
  T* operator->() const { return pages_.template as<T>(); }

 private:
  explicit Shared(SharedPages pages) : pages_(std::move(pages)) {}

  SharedPages pages_;
};

}  // namespace assay
