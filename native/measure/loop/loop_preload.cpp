// libassay_loop.so: what the loops of a Google Benchmark program allocate, and from where.
//
//   LD_PRELOAD=libassay_loop.so ASSAY_LOOP_FILE=/tmp/loops program --benchmark_filter=...
//
// For each loop it appends to the file, by lines:
//
//   program PID watched|unknown|refused counted|uncounted PATH    once, when it begins
//   loop ITERATIONS               a loop of so many has ended; the next lines belong to it
//   peak BYTES                    the most that was live at once, beyond what was at its start
//   count NAME VALUE ERRNO        what LoopCounters counted; ERRNO says why not, or is 0
//   site allocated|freed COUNT BYTES ADDRESS...      return addresses, the innermost first
//   lost COUNT BYTES              of sites that had no place in the table
//   module LOAD_ADDRESS BEGIN END PATH               what the addresses are in
//
// Around each loop it calls write() with a text on descriptor -1, which fails and does nothing,
// so that a tracer of system calls sees where the loop is. ASSAY_LOOP_SITES=off leaves out the
// sites.
//
// This runs inside programs of others: nothing here may allocate, throw, or change their errno.
#include <assay/measure/allocations/next_allocator.hpp>
#include <assay/measure/loop/call_sites.hpp>
#include <assay/measure/loop/loop_counters.hpp>
#include <assay/measure/loop/loop_gate.hpp>

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string_view>

// NOLINTBEGIN(cppcoreguidelines-no-malloc): this is malloc.

namespace assay {
namespace {

constexpr auto relaxed = std::memory_order_relaxed;

// ---- what is kept of a loop ----------------------------------------------------------

constinit std::atomic<bool> is_recording{false};
constinit std::atomic<std::int64_t> live{0};
constinit std::atomic<std::int64_t> peak{0};
constinit CallSites sites;
constinit LoopCounters counters;
constinit bool has_sites = true;
constinit std::int64_t iterations = 0;

void grow(std::int64_t bytes) noexcept {
  const std::int64_t now = live.fetch_add(bytes, relaxed) + bytes;
  std::int64_t highest = peak.load(relaxed);
  while (now > highest && !peak.compare_exchange_weak(highest, now)) {
  }
}

struct Walk {
  std::array<std::uintptr_t, CallSites::deepest> calls{};
  std::size_t depth{0};
};

_Unwind_Reason_Code step(_Unwind_Context* context, void* to) noexcept {
  auto& walk = *static_cast<Walk*>(to);
  const std::uintptr_t call = _Unwind_GetIP(context);
  if (call == 0 || walk.depth == walk.calls.size()) return _URC_END_OF_STACK;
  walk.calls[walk.depth++] = call;
  return _URC_NO_REASON;
}

void record_event(CallSites::Event event, std::size_t bytes) noexcept {
  static constinit thread_local bool is_inside = false;
  if (is_inside) return;  // the unwinder's own allocations are not counted
  is_inside = true;
  Walk walk;
  _Unwind_Backtrace(step, &walk);
  sites.add(event, {walk.calls.data(), walk.depth}, bytes);
  is_inside = false;
}

void* allocated(void* block, std::size_t bytes) noexcept {
  if (!is_recording.load(relaxed) || block == nullptr) return block;
  const int saved = errno;
  grow(static_cast<std::int64_t>(next_allocator.usable_size(block)));
  record_event(CallSites::allocated, bytes);
  errno = saved;
  return block;
}

void freed(std::size_t usable) noexcept {
  const int saved = errno;
  grow(-static_cast<std::int64_t>(usable));
  record_event(CallSites::freed, usable);
  errno = saved;
}

std::size_t usable(void* block) noexcept {
  const bool matters = is_recording.load(relaxed) && block != nullptr;
  return matters ? next_allocator.usable_size(block) : 0;
}

/// Whether the next allocator is known; the first call finds it. False for allocations made by that
/// search itself.
bool ensure_next_allocator() noexcept {
  static constinit thread_local bool is_finding = false;
  if (next_allocator.usable_size != nullptr) return true;
  if (is_finding) return false;
  is_finding = true;
  find_next_allocator();
  is_finding = false;
  return true;
}

// ---- the file ------------------------------------------------------------------------

class Lines {
 public:
  explicit Lines(const char* path) noexcept
      : file_(open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600)) {}
  ~Lines() {
    flush();
    if (file_ >= 0) close(file_);
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  [[gnu::format(printf, 2, 3)]] void print(const char* format, ...) noexcept {
    if (used_ + longest > text_.size()) flush();
    va_list values;
    va_start(values, format);
    const int size = std::vsnprintf(text_.data() + used_, longest, format, values);
    va_end(values);
    if (size > 0) used_ += std::min(static_cast<std::size_t>(size), longest - 1);
  }

 private:
  static constexpr std::size_t longest = 4200;  // enough for a path and some numbers

  void flush() noexcept {
    if (file_ >= 0) [[maybe_unused]]
      const ssize_t done = write(file_, text_.data(), used_);
    used_ = 0;
  }

  int file_;
  std::size_t used_{0};
  std::array<char, 16384> text_{};
};

constinit std::array<char, 4096> file{};

using PathText = std::array<char, 4096>;

/// A path made safe for the end of a line: newlines in it become question marks.
PathText one_line(const char* path) noexcept {
  PathText text{};
  std::copy_n(path, std::min(std::string_view(path).size(), text.size() - 1), text.begin());
  std::replace(text.begin(), text.end(), '\n', '?');
  return text;
}

PathText program() noexcept {
  PathText path{};
  if (readlink("/proc/self/exe", path.data(), path.size() - 1) < 0) path[0] = '?';
  return one_line(path.data());
}

void print_site(Lines& lines, const CallSites::Site& site) noexcept {
  const std::uint64_t count = site.count;
  if (count == 0) return;
  lines.print("site %s %" PRIu64 " %" PRIu64,
              site.event == CallSites::allocated ? "allocated" : "freed", count, site.bytes.load());
  for (const std::uintptr_t call : site.stack()) lines.print(" %" PRIxPTR, call);
  lines.print("\n");
}

int print_module(dl_phdr_info* info, std::size_t /*size*/, void* to) noexcept {
  std::uintptr_t begin = UINTPTR_MAX;
  std::uintptr_t end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    begin = std::min(begin, info->dlpi_addr + part.p_vaddr);
    end = std::max(end, info->dlpi_addr + part.p_vaddr + part.p_memsz);
  }
  const bool is_program = info->dlpi_name == nullptr || info->dlpi_name[0] == '\0';
  const PathText path = is_program ? program() : one_line(info->dlpi_name);
  static_cast<Lines*>(to)->print("module %" PRIxPTR " %" PRIxPTR " %" PRIxPTR " %s\n",
                                 static_cast<std::uintptr_t>(info->dlpi_addr), begin, end,
                                 path.data());
  return 0;
}

// ---- the loop ------------------------------------------------------------------------

/// Makes a system call that does nothing, so that a tracer of system calls sees the text.
void mark_for_tracers(std::string_view text) noexcept {
  syscall(SYS_write, -1, text.data(), text.size());
}

void begun(std::int64_t to_do) noexcept {
  const int saved = errno;
  iterations = to_do;
  if (has_sites) sites.clear();
  live = peak = 0;
  counters.begin();
  mark_for_tracers("assay: the loop begins");
  errno = saved;
  is_recording = has_sites;
}

void ended() noexcept {
  is_recording = false;
  const int saved = errno;
  mark_for_tracers("assay: the loop has ended");
  const auto counted = counters.end();
  Lines lines(file.data());
  lines.print("loop %" PRId64 "\npeak %" PRId64 "\n", iterations, peak.load());
  for (const auto& one : counted) {
    lines.print("count %s %" PRIu64 " %d\n", one.name, one.value, one.why_not);
  }
  sites.each([&](const CallSites::Site& site) { print_site(lines, site); });
  lines.print("lost %" PRIu64 " %" PRIu64 "\n", sites.lost().count.load(),
              sites.lost().bytes.load());
  if (has_sites) dl_iterate_phdr(print_module, &lines);
  errno = saved;
}

/// Whether the program's malloc is the hooked one. A program may bring its own malloc, and then 0
/// allocations would be false.
bool malloc_is_hooked() noexcept {
  is_recording = true;
  void* volatile block = std::malloc(40);
  is_recording = false;
  bool came = false;
  sites.each([&](const CallSites::Site& site) { came = came || site.count > 0; });
  sites.clear();
  std::free(block);
  return came;
}

const char* word(loop_gate::Watched watched) noexcept {
  if (watched == loop_gate::Watched::yes) return "watched";
  return watched == loop_gate::Watched::unknown ? "unknown" : "refused";
}

[[gnu::constructor]] void begin() noexcept {
  const char* const path = std::getenv("ASSAY_LOOP_FILE");
  if (path == nullptr || std::string_view(path).size() >= file.size()) return;
  std::copy_n(path, std::string_view(path).size(), file.begin());
  ensure_next_allocator();
  const bool is_counted = malloc_is_hooked();
  const char* const with_sites = std::getenv("ASSAY_LOOP_SITES");
  has_sites = with_sites == nullptr || std::string_view(with_sites) != "off";
  const auto watched = loop_gate::watch({.begun = begun, .ended = ended});
  Lines lines(file.data());
  lines.print("program %d %s %s %s\n", static_cast<int>(getpid()), word(watched),
              is_counted ? "counted" : "uncounted", program().data());
}

}  // namespace
}  // namespace assay

// ---- what the program calls ------------------------------------------------------------

#define ASSAY_HOOK extern "C" [[gnu::visibility("default")]]

using assay::next_allocator;

ASSAY_HOOK void* malloc(std::size_t size) noexcept {
  return assay::ensure_next_allocator() ? assay::allocated(next_allocator.malloc(size), size)
                                        : nullptr;
}
ASSAY_HOOK void* calloc(std::size_t count, std::size_t size) noexcept {
  if (!assay::ensure_next_allocator()) return nullptr;
  return assay::allocated(next_allocator.calloc(count, size), count * size);
}
ASSAY_HOOK void free(void* block) noexcept {
  if (!assay::ensure_next_allocator()) return;
  if (const std::size_t usable = assay::usable(block); usable != 0) assay::freed(usable);
  next_allocator.free(block);
}
ASSAY_HOOK void* realloc(void* block, std::size_t size) noexcept {
  if (!assay::ensure_next_allocator()) return nullptr;
  const std::size_t before = assay::usable(block);
  void* const grown = next_allocator.realloc(block, size);
  if (before != 0 && (grown != nullptr || size == 0)) assay::freed(before);
  return assay::allocated(grown, size);
}
ASSAY_HOOK void* reallocarray(void* block, std::size_t count, std::size_t size) noexcept {
  std::size_t bytes = 0;
  if (!__builtin_mul_overflow(count, size, &bytes)) return realloc(block, bytes);
  errno = ENOMEM;
  return nullptr;
}
ASSAY_HOOK int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  if (!assay::ensure_next_allocator()) return ENOMEM;
  const int code = next_allocator.posix_memalign(block, alignment, size);
  if (code == 0) assay::allocated(*block, size);
  return code;
}
ASSAY_HOOK void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  if (!assay::ensure_next_allocator()) return nullptr;
  return assay::allocated(next_allocator.aligned_alloc(alignment, size), size);
}
ASSAY_HOOK void* memalign(std::size_t alignment, std::size_t size) noexcept {
  if (!assay::ensure_next_allocator()) return nullptr;
  return assay::allocated(next_allocator.memalign(alignment, size), size);
}
ASSAY_HOOK void* valloc(std::size_t size) noexcept {
  return assay::ensure_next_allocator() ? assay::allocated(next_allocator.valloc(size), size)
                                        : nullptr;
}
ASSAY_HOOK void* pvalloc(std::size_t size) noexcept {
  return assay::ensure_next_allocator() ? assay::allocated(next_allocator.pvalloc(size), size)
                                        : nullptr;
}

// NOLINTEND(cppcoreguidelines-no-malloc)
