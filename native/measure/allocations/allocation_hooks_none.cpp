// The build without interposition: a sanitizer must see every allocation itself, and
// other C libraries have not been tried.
#include <assay/measure/allocations/allocation_hooks.hpp>

namespace assay::hooks {

bool compiled_in() noexcept {
  return false;
}
const char* why_not() noexcept {
  return ASSAY_NO_HOOKS_REASON;
}
void arm(Counting /*counting*/) noexcept {}
void disarm(Counting /*counting*/) noexcept {}
std::int64_t peak_bytes() noexcept {
  return 0;
}
SizeClasses size_classes() noexcept {
  return {};
}
AllocationTally outermost_block() noexcept {
  return {};
}
bool operator_new_is_hooked() noexcept {
  return false;
}
const void* next_malloc() noexcept {
  return nullptr;
}

}  // namespace assay::hooks
