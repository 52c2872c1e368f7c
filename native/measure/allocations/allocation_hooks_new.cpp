// operator new and delete through malloc and free, in all their forms. libstdc++'s do that too, but
// those of jemalloc, mimalloc and tcmalloc call the allocator directly, so the hooks on malloc
// would not see them. Weak, so that a program's own operator new wins. The forms call each other as
// libstdc++'s do, so that a program that replaces some of them gets what it expects of the others.
#include <assay/measure/allocations/allocation_hooks.hpp>

#include <dlfcn.h>

#include <cstdlib>
#include <new>

// NOLINTBEGIN(cppcoreguidelines-no-malloc,misc-definitions-in-headers): this is operator new.

#define ASSAY_NEW [[gnu::weak, gnu::visibility("default")]]

namespace {

/// Out of memory: finds the operator new that the program would have without us, which calls the
/// new-handler and throws. Our own cannot do that: the preloaded library has a C++ runtime of its
/// own, which does not know the program's handler.
template <class Function>
Function next(const char* name) {
  void* const address = dlsym(RTLD_NEXT, name);
  if (address == nullptr) std::abort();
  return reinterpret_cast<Function>(address);
}

[[gnu::cold, gnu::noinline]] void* new_elsewhere(std::size_t size) {
  return next<void* (*)(std::size_t)>("_Znwm")(size);
}
[[gnu::cold, gnu::noinline]] void* new_elsewhere(std::size_t size, std::align_val_t alignment) {
  return next<void* (*)(std::size_t, std::align_val_t)>("_ZnwmSt11align_val_t")(size, alignment);
}

std::size_t at_least_one(std::size_t size) {
  return size == 0 ? 1 : size;
}

}  // namespace

ASSAY_NEW void* operator new(std::size_t size) {
  void* const block = std::malloc(at_least_one(size));
  return __builtin_expect(block != nullptr, 1) != 0 ? block : new_elsewhere(size);
}
ASSAY_NEW void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto bytes = static_cast<std::size_t>(alignment);
  void* block = nullptr;
  const int code =
      posix_memalign(&block, bytes < sizeof block ? sizeof block : bytes, at_least_one(size));
  return code == 0 ? block : new_elsewhere(size, alignment);
}
ASSAY_NEW void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  try {
    return ::operator new(size);
  } catch (...) {
    return nullptr;
  }
}
ASSAY_NEW void* operator new(std::size_t size, std::align_val_t alignment,
                             const std::nothrow_t& /*tag*/) noexcept {
  try {
    return ::operator new(size, alignment);
  } catch (...) {
    return nullptr;
  }
}
ASSAY_NEW void* operator new[](std::size_t size) {
  return ::operator new(size);
}
ASSAY_NEW void* operator new[](std::size_t size, std::align_val_t alignment) {
  return ::operator new(size, alignment);
}
ASSAY_NEW void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept {
  return ::operator new(size, tag);
}
ASSAY_NEW void* operator new[](std::size_t size, std::align_val_t alignment,
                               const std::nothrow_t& tag) noexcept {
  return ::operator new(size, alignment, tag);
}

ASSAY_NEW void operator delete(void* block) noexcept {
  std::free(block);
}
ASSAY_NEW void operator delete(void* block, std::size_t /*size*/) noexcept {
  ::operator delete(block);
}
ASSAY_NEW void operator delete(void* block, const std::nothrow_t& /*tag*/) noexcept {
  ::operator delete(block);
}
ASSAY_NEW void operator delete(void* block, std::align_val_t /*alignment*/) noexcept {
  std::free(block);
}
ASSAY_NEW void operator delete(void* block, std::size_t /*size*/,
                               std::align_val_t alignment) noexcept {
  ::operator delete(block, alignment);
}
ASSAY_NEW void operator delete(void* block, std::align_val_t alignment,
                               const std::nothrow_t& /*tag*/) noexcept {
  ::operator delete(block, alignment);
}
ASSAY_NEW void operator delete[](void* block) noexcept {
  ::operator delete(block);
}
ASSAY_NEW void operator delete[](void* block, std::size_t /*size*/) noexcept {
  ::operator delete(block);
}
ASSAY_NEW void operator delete[](void* block, const std::nothrow_t& /*tag*/) noexcept {
  ::operator delete(block);
}
ASSAY_NEW void operator delete[](void* block, std::align_val_t alignment) noexcept {
  ::operator delete(block, alignment);
}
ASSAY_NEW void operator delete[](void* block, std::size_t /*size*/,
                                 std::align_val_t alignment) noexcept {
  ::operator delete(block, alignment);
}
ASSAY_NEW void operator delete[](void* block, std::align_val_t alignment,
                                 const std::nothrow_t& /*tag*/) noexcept {
  ::operator delete(block, alignment);
}

// NOLINTEND(cppcoreguidelines-no-malloc,misc-definitions-in-headers)

namespace assay::hooks {

bool operator_new_is_hooked() noexcept {
  return true;
}

}  // namespace assay::hooks
