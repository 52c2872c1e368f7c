#include <assay/base/plain_mutex.hpp>
#include <assay/measure/allocations/allocation_hooks.hpp>
#include <assay/measure/allocations/next_allocator.hpp>
#include <assay/measure/allocations/thread_tallies.hpp>

#include <malloc.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <mutex>

// NOLINTBEGIN(cppcoreguidelines-no-malloc): this is malloc.

namespace assay::hooks {
namespace {

// ---- where a block's size comes from -------------------------------------------------

struct FromChunkHeader {
  static bool is_usual(void* block) noexcept {
    const bool is =
        (chunk_header(block) & static_cast<std::size_t>(thread_tallies::mine.stage)) == 0;
    // Where the test passed, the thread is listed and the block is not mapped. Telling the compiler
    // so keeps it from testing either again.
    if (is && (!thread_tallies::listed() || chunk_is_mapped(block))) __builtin_unreachable();
    return is;
  }
  static std::size_t usable(void* block) noexcept { return chunk_usable_size(block); }
};
struct FromAllocator {
  static bool is_usual(void* /*block*/) noexcept { return thread_tallies::listed(); }
  static std::size_t usable(void* block) noexcept { return next_allocator.usable_size(block); }
};

// ---- where events are entered --------------------------------------------------------

struct Totals {
  static void allocated(const void* /*block*/, std::size_t requested, std::size_t usable) noexcept {
    thread_tallies::allocated(requested, usable);
  }
  static void freed(const void* /*block*/, std::size_t usable) noexcept {
    thread_tallies::freed(usable);
  }
  static void reallocated(const AllocationTally& event) noexcept {
    thread_tallies::reallocated(event);
  }
};

class TotalsAndPeak {
 public:
  static void allocated(const void* block, std::size_t requested, std::size_t usable) noexcept {
    Totals::allocated(block, requested, usable);
    classify(requested);
    grow(static_cast<std::int64_t>(usable));
    if (first_block_.load() != nullptr) return;
    const void* none = nullptr;
    if (!first_block_.compare_exchange_strong(none, block)) return;
    first_tally_ = {.allocs = 1,
                    .frees = 1,
                    .requested_bytes = requested,
                    .usable_bytes = usable,
                    .usable_freed_bytes = usable};
  }
  static void freed(const void* block, std::size_t usable) noexcept {
    Totals::freed(block, usable);
    grow(-static_cast<std::int64_t>(usable));
    last_freed_ = block;
  }
  static void reallocated(const AllocationTally& event) noexcept {
    Totals::reallocated(event);
    classify(event.requested_bytes);
    grow(event.leaked_bytes());
  }
  static void reset() noexcept {
    live_ = 0;
    peak_ = 0;
    for (auto& one : classes_) one = 0;
    first_block_ = last_freed_ = nullptr;
  }
  static std::int64_t peak() noexcept { return peak_; }
  static SizeClasses classes() noexcept {
    SizeClasses copy{};
    std::copy(classes_.begin(), classes_.end(), copy.begin());
    return copy;
  }
  static AllocationTally outermost() noexcept {
    const void* const first = first_block_;
    return first != nullptr && first == last_freed_ ? first_tally_ : AllocationTally{};
  }

 private:
  static void classify(std::size_t requested) noexcept {
    classes_[static_cast<std::size_t>(std::bit_width(requested))].fetch_add(
        1, std::memory_order_relaxed);
  }
  static void grow(std::int64_t bytes) noexcept {
    const std::int64_t now = live_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    std::int64_t highest = peak_.load(std::memory_order_relaxed);
    while (now > highest && !peak_.compare_exchange_weak(highest, now)) {
    }
  }
  static inline std::atomic<std::int64_t> live_{0};
  static inline std::atomic<std::int64_t> peak_{0};
  static inline constinit std::array<std::atomic<std::uint64_t>, 65> classes_{};
  static inline std::atomic<const void*> first_block_{nullptr};
  static inline std::atomic<const void*> last_freed_{nullptr};
  // Written once a memory pass, read after it.
  static inline constinit AllocationTally first_tally_{};
};

// ---- the functions that count --------------------------------------------------------

template <class Size, class Book>
struct CountingFunctions {
  // Rare cases are handled by separate functions that are tail-called: inlined, they make the usual
  // case save registers and set up a frame that it does not need, 1 ns a malloc/free pair.
  static bool is_usual(void* block) noexcept {
    return __builtin_expect(block != nullptr && Size::is_usual(block), 1) != 0;
  }
  static void* count_allocation(void* block, std::size_t requested) noexcept {
    if (!is_usual(block)) return count_rare_allocation(block, requested);
    Book::allocated(block, requested, Size::usable(block));
    return block;
  }
  [[gnu::cold, gnu::noinline]] static void* count_rare_allocation(void* block,
                                                                  std::size_t requested) noexcept {
    if (block != nullptr) Book::allocated(block, requested, Size::usable(block));
    return block;
  }
  static void* malloc(std::size_t size) noexcept {
    return count_allocation(next_allocator.malloc(size), size);
  }
  static void* calloc(std::size_t count, std::size_t size) noexcept {
    // calloc checks count * size for overflow and gives null then.
    return count_allocation(next_allocator.calloc(count, size), count * size);
  }
  static void free(void* block) noexcept {
    if (!is_usual(block)) return free_rarely(block);
    Book::freed(block, Size::usable(block));
    next_allocator.free(block);
  }
  [[gnu::cold, gnu::noinline]] static void free_rarely(void* block) noexcept {
    if (block != nullptr) Book::freed(block, Size::usable(block));
    next_allocator.free(block);
  }
  static void* realloc(void* block, std::size_t size) noexcept {
    const std::size_t old_usable = block != nullptr ? Size::usable(block) : 0;
    const auto old_address = reinterpret_cast<std::uintptr_t>(block);
    void* const grown = next_allocator.realloc(block, size);
    const bool released = grown == nullptr && size == 0;  // glibc: realloc(p, 0) frees p
    if (grown == nullptr && !released) return grown;
    const bool moved = old_address != 0 && reinterpret_cast<std::uintptr_t>(grown) != old_address;
    Book::reallocated({.reallocs = 1,
                       .moved = moved && !released ? 1U : 0U,
                       .requested_bytes = size,
                       .usable_bytes = released ? 0 : Size::usable(grown),
                       .usable_freed_bytes = old_usable});
    return grown;
  }
  static int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
    const int code = next_allocator.posix_memalign(block, alignment, size);
    if (code == 0) count_allocation(*block, size);
    return code;
  }
  static void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
    return count_allocation(next_allocator.aligned_alloc(alignment, size), size);
  }
  static void* memalign(std::size_t alignment, std::size_t size) noexcept {
    return count_allocation(next_allocator.memalign(alignment, size), size);
  }
  static void* valloc(std::size_t size) noexcept {
    return count_allocation(next_allocator.valloc(size), size);
  }
  static void* pvalloc(std::size_t size) noexcept {
    return count_allocation(next_allocator.pvalloc(size), size);
  }
  static AllocatorFunctions functions() noexcept {
    return {malloc,        calloc,   realloc, free,    posix_memalign,
            aligned_alloc, memalign, valloc,  pvalloc, nullptr};
  }
};

// ---- the table every call goes through -----------------------------------------------

// The functions in the table before the first allocation: each finds the next allocator, then calls
// it. If dlsym itself allocates meanwhile (glibc before 2.34), it gets null and copes with that.
namespace unresolved {

bool resolve() noexcept;

void* malloc(std::size_t size) noexcept {
  return resolve() ? ::malloc(size) : nullptr;
}
void* calloc(std::size_t n, std::size_t size) noexcept {
  return resolve() ? ::calloc(n, size) : nullptr;
}
void* realloc(void* block, std::size_t size) noexcept {
  return resolve() ? ::realloc(block, size) : nullptr;
}
void free(void* block) noexcept {
  if (resolve()) ::free(block);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  return resolve() ? ::posix_memalign(block, alignment, size) : ENOMEM;
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return resolve() ? ::aligned_alloc(alignment, size) : nullptr;
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return resolve() ? ::memalign(alignment, size) : nullptr;
}
void* valloc(std::size_t size) noexcept {
  return resolve() ? ::valloc(size) : nullptr;
}
void* pvalloc(std::size_t size) noexcept {
  return resolve() ? ::pvalloc(size) : nullptr;
}

}  // namespace unresolved

struct Table {
  std::atomic<decltype(AllocatorFunctions::malloc)> malloc{unresolved::malloc};
  std::atomic<decltype(AllocatorFunctions::calloc)> calloc{unresolved::calloc};
  std::atomic<decltype(AllocatorFunctions::realloc)> realloc{unresolved::realloc};
  std::atomic<decltype(AllocatorFunctions::free)> free{unresolved::free};
  std::atomic<decltype(AllocatorFunctions::posix_memalign)> posix_memalign{
      unresolved::posix_memalign};
  std::atomic<decltype(AllocatorFunctions::aligned_alloc)> aligned_alloc{unresolved::aligned_alloc};
  std::atomic<decltype(AllocatorFunctions::memalign)> memalign{unresolved::memalign};
  std::atomic<decltype(AllocatorFunctions::valloc)> valloc{unresolved::valloc};
  std::atomic<decltype(AllocatorFunctions::pvalloc)> pvalloc{unresolved::pvalloc};
};

constinit Table table;

void install(const AllocatorFunctions& functions) noexcept {
  constexpr auto order = std::memory_order_relaxed;
  table.malloc.store(functions.malloc, order);
  table.calloc.store(functions.calloc, order);
  table.realloc.store(functions.realloc, order);
  table.free.store(functions.free, order);
  table.posix_memalign.store(functions.posix_memalign, order);
  table.aligned_alloc.store(functions.aligned_alloc, order);
  table.memalign.store(functions.memalign, order);
  table.valloc.store(functions.valloc, order);
  table.pvalloc.store(functions.pvalloc, order);
}

bool unresolved::resolve() noexcept {
  static constinit thread_local bool resolving = false;
  if (resolving) {
    errno = ENOMEM;
    return false;
  }
  resolving = true;
  find_next_allocator();
  install(next_allocator);
  resolving = false;
  return true;
}

// ---- the switch ----------------------------------------------------------------------

/// Counting of totals with sizes from glibc's chunk headers, the usual case. malloc and free test
/// for it first and then need no jump through the table, which would cost 0.5 ns a malloc/free pair
/// more. All other cases go through the table.
using Usual = CountingFunctions<FromChunkHeader, Totals>;
constinit std::atomic<bool> counts_the_usual_way{false};

enum class Chunks { untried, of_glibc, of_others };

struct Switch {
  PlainMutex mutex;
  int totals{0};
  int peaks{0};
  Chunks chunks{Chunks::untried};
};

constinit Switch armed;

template <class Size>
AllocatorFunctions wanted_functions() noexcept {
  if (armed.peaks > 0) return CountingFunctions<Size, TotalsAndPeak>::functions();
  if (armed.totals > 0) return CountingFunctions<Size, Totals>::functions();
  return next_allocator;
}

void change_arming(Counting counting, int by) noexcept {
  if (next_allocator.malloc == nullptr) unresolved::resolve();  // only when malloc was never called
  const std::lock_guard lock(armed.mutex);
  if (armed.chunks == Chunks::untried) {
    armed.chunks = chunk_headers_can_be_read() ? Chunks::of_glibc : Chunks::of_others;
  }
  const bool glibc_chunks = armed.chunks == Chunks::of_glibc;
  const bool watches_peak = counting == Counting::totals_and_peak;
  if (watches_peak && by > 0 && armed.peaks == 0) TotalsAndPeak::reset();
  (watches_peak ? armed.peaks : armed.totals) += by;
  install(glibc_chunks ? wanted_functions<FromChunkHeader>() : wanted_functions<FromAllocator>());
  counts_the_usual_way = glibc_chunks && armed.peaks == 0 && armed.totals > 0;
}

}  // namespace

bool compiled_in() noexcept {
  return operator_new_is_hooked();
}
const char* why_not() noexcept {
  return "";
}
void arm(Counting counting) noexcept {
  change_arming(counting, +1);
}
void disarm(Counting counting) noexcept {
  change_arming(counting, -1);
}
std::int64_t peak_bytes() noexcept {
  return TotalsAndPeak::peak();
}
SizeClasses size_classes() noexcept {
  return TotalsAndPeak::classes();
}
AllocationTally outermost_block() noexcept {
  return TotalsAndPeak::outermost();
}
const void* next_malloc() noexcept {
  return reinterpret_cast<void*>(next_allocator.malloc);
}

}  // namespace assay::hooks

// ---- what the program calls ------------------------------------------------------------

#define ASSAY_HOOK extern "C" [[gnu::weak, gnu::visibility("default")]]

namespace {
constexpr auto relaxed = std::memory_order_relaxed;
}

using assay::hooks::counts_the_usual_way;
using assay::hooks::table;
using assay::hooks::Usual;

namespace {
/// Whether totals are counted with sizes from chunk headers (`Usual`). ASSAY_HOOKS_ARMED_SHARE is
/// the probability of it, and so decides which branch the compiler makes fast: 0.05 in a benchmark,
/// 0.99 in the preloaded library.
bool is_usual_counting() noexcept {
  return __builtin_expect_with_probability(counts_the_usual_way.load(relaxed) ? 1 : 0, 1,
                                           ASSAY_HOOKS_ARMED_SHARE) != 0;
}
}  // namespace

ASSAY_HOOK void* malloc(std::size_t size) noexcept {
  if (is_usual_counting()) return Usual::malloc(size);
  return table.malloc.load(relaxed)(size);
}
ASSAY_HOOK void* calloc(std::size_t count, std::size_t size) noexcept {
  return table.calloc.load(relaxed)(count, size);
}
ASSAY_HOOK void* realloc(void* block, std::size_t size) noexcept {
  return table.realloc.load(relaxed)(block, size);
}
ASSAY_HOOK void* reallocarray(void* block, std::size_t count, std::size_t size) noexcept {
  std::size_t bytes = 0;
  if (!__builtin_mul_overflow(count, size, &bytes))
    return table.realloc.load(relaxed)(block, bytes);
  errno = ENOMEM;
  return nullptr;
}
ASSAY_HOOK void free(void* block) noexcept {
  if (is_usual_counting()) return Usual::free(block);
  table.free.load(relaxed)(block);
}
ASSAY_HOOK int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  return table.posix_memalign.load(relaxed)(block, alignment, size);
}
ASSAY_HOOK void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return table.aligned_alloc.load(relaxed)(alignment, size);
}
ASSAY_HOOK void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return table.memalign.load(relaxed)(alignment, size);
}
ASSAY_HOOK void* valloc(std::size_t size) noexcept {
  return table.valloc.load(relaxed)(size);
}
ASSAY_HOOK void* pvalloc(std::size_t size) noexcept {
  return table.pvalloc.load(relaxed)(size);
}

// NOLINTEND(cppcoreguidelines-no-malloc)
