// Purpose: malloc, calloc, realloc and free to hand to a library that takes its own, counted
// even where the program's malloc cannot be interposed.
//
//   library_set_malloc(assay::hooks::malloc);
//   library_set_realloc(assay::hooks::realloc);
//   library_set_free(assay::hooks::free);
//   const assay::AllocationScope scope;        // sees what the library asks for
//
// Needed only in a program with a malloc of its own, or under a sanitizer: elsewhere the
// library's calls of malloc are counted as they are. No call is counted twice. Blocks are those
// of the program's malloc, so who gets one from the library may free() it.
//
// Units: bytes. Errors: null, as malloc. Thread safety: as malloc.
// Cost: 2 to 4 ns a malloc/free pair, whether or not a scope is open.
#pragma once

#include <cstddef>

namespace assay::hooks {

void* malloc(std::size_t size) noexcept;
void* calloc(std::size_t count, std::size_t size) noexcept;
void* realloc(void* block, std::size_t size) noexcept;
void free(void* block) noexcept;

/// Whether one of these four functions was called: if so, there are counts even in a program whose
/// malloc is not interposed.
bool functions_were_used() noexcept;

}  // namespace assay::hooks
