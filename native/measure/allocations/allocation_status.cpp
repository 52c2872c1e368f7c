#include <assay/measure/allocations/allocation_status.hpp>

#include <assay/measure/allocations/allocation_hooks.hpp>
#include <assay/measure/allocations/allocation_scope.hpp>

#include <dlfcn.h>

#include <cstdlib>
#include <new>

namespace assay {
namespace {

/// The object file a function lives in.
std::string object_of(const void* function) {
  Dl_info info{};
  if (dladdr(function, &info) == 0 || info.dli_fname == nullptr) return "an unknown object";
  return info.dli_fname;
}

template <class Allocate, class Release>
bool is_counted(Allocate allocate, Release release) {
  const AllocationScope scope(AllocationScope::Covers::this_thread);
  void* volatile block = allocate();  // volatile: a compiler may remove an unused pair
  release(block);
  const AllocationTally taken = scope.taken();
  return taken.allocs >= 1 && taken.frees >= 1;
}

AllocationStatus run_trial() {
  if (!hooks::compiled_in()) return {.reason = hooks::why_not()};
  const auto plain_malloc = [] { return std::malloc(40); };       // NOLINT: the point of the trial
  const auto plain_free = [](void* block) { std::free(block); };  // NOLINT
  if (!is_counted(plain_malloc, plain_free)) {
    return {.reason = "malloc is the one of " + object_of(reinterpret_cast<void*>(&std::malloc)) +
                      ", not assay's"};
  }
  const auto plain_new = [] { return ::operator new(40); };
  const auto plain_delete = [](void* block) { ::operator delete(block); };
  if (!is_counted(plain_new, plain_delete)) {
    void* (*const operator_new)(std::size_t) = &::operator new;
    return {.reason = "operator new of " + object_of(reinterpret_cast<void*>(operator_new)) +
                      " does not call malloc"};
  }
  return {.counted = true, .allocator = object_of(hooks::next_malloc())};
}

}  // namespace

const AllocationStatus& allocation_status() {
  static const AllocationStatus status = run_trial();
  return status;
}

}  // namespace assay
