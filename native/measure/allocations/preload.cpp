// libassay_preload.so: counts the allocations of a program that was not built with us.
//
//   LD_PRELOAD=libassay_preload.so ASSAY_ALLOCATIONS_FILE=/tmp/tally program
//
// Each process appends one JSON line to the file when it ends by exit, _exit or quick_exit,
// and before it becomes another program by execve, execv or execvp. A line holds what was
// taken since the line before it, so that lines may be added up. A process that a signal
// ends writes nothing; a statically linked or set-uid one is never loaded into at all.
// ASSAY_ALLOCATIONS_PEAK=off leaves the peak out: 2 ns a malloc/free pair instead of 20.
//
// This runs inside programs of others: nothing here may allocate, throw, or change their errno.
#include <assay/base/plain_mutex.hpp>
#include <assay/measure/allocations/allocation_hooks.hpp>
#include <assay/measure/allocations/thread_tallies.hpp>

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>

namespace assay {
namespace {

struct Preload {
  PlainMutex mutex;
  std::array<char, 4096> file{};
  bool has_peak{true};
  bool is_counted{false};
  AllocationTally written{};
};

constinit Preload preload;

/// The program's name, without what JSON would need escapes for.
std::array<char, 256> program_name() noexcept {
  std::array<char, 256> name{};
  if (readlink("/proc/self/exe", name.data(), name.size() - 1) < 0) name[0] = '?';
  std::replace_if(
      name.begin(), std::find(name.begin(), name.end(), '\0'),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }, '?');
  return name;
}

void append(const char* line, std::size_t size) noexcept {
  const int file = open(preload.file.data(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return;
  // One write() for the whole line, so that lines of processes that end at the same time do not
  // mix.
  [[maybe_unused]] const ssize_t done = write(file, line, size);
  close(file);
}

int print_line(std::array<char, 1024>& line) noexcept {
  using Number = unsigned long long;
  const AllocationTally now = thread_tallies::of_all_threads();
  const AllocationTally taken = now - preload.written;
  preload.written = now;
  std::array<char, 64> peak{};
  if (preload.has_peak) {
    std::snprintf(peak.data(), peak.size(), ",\"peak_bytes\":%lld",
                  static_cast<long long>(hooks::peak_bytes()));
  }
  return std::snprintf(line.data(), line.size(),
                       "{\"pid\":%d,\"program\":\"%s\",\"counted\":%s,\"allocs\":%llu,"
                       "\"reallocs\":%llu,\"frees\":%llu,\"bytes\":%llu,\"leaked_bytes\":%lld%s}\n",
                       static_cast<int>(getpid()), program_name().data(),
                       preload.is_counted ? "true" : "false", Number{taken.allocs},
                       Number{taken.reallocs}, Number{taken.frees}, Number{taken.requested_bytes},
                       static_cast<long long>(taken.leaked_bytes()), peak.data());
}

void write_line() noexcept {
  if (preload.file[0] == '\0') return;
  const int saved = errno;
  {
    const std::lock_guard lock(preload.mutex);
    std::array<char, 1024> line{};
    const int size = print_line(line);
    if (size > 0) append(line.data(), std::min(static_cast<std::size_t>(size), line.size() - 1));
  }
  errno = saved;
}

/// Makes the forked child count from here: what came before is in its parent's line.
void after_fork_in_child() noexcept {
  preload.written = thread_tallies::of_all_threads();
  preload.mutex.unlock();
}

/// Whether the program's malloc is the hooked one. A program may bring its own malloc, and then 0
/// allocations would be false.
bool malloc_is_hooked() noexcept {
  const AllocationTally before = thread_tallies::of_this_thread();
  void* volatile block = std::malloc(40);  // NOLINT(cppcoreguidelines-no-malloc): the trial
  std::free(block);                        // NOLINT(cppcoreguidelines-no-malloc)
  return (thread_tallies::of_this_thread() - before).allocs > 0;
}

[[gnu::constructor]] void begin() noexcept {
  const char* const file = std::getenv("ASSAY_ALLOCATIONS_FILE");
  if (file == nullptr || std::string_view(file).size() >= preload.file.size()) return;
  const char* const peak = std::getenv("ASSAY_ALLOCATIONS_PEAK");
  preload.has_peak = peak == nullptr || std::string_view(peak) != "off";
  hooks::arm(preload.has_peak ? hooks::Counting::totals_and_peak : hooks::Counting::totals);
  preload.is_counted = malloc_is_hooked();
  // Registered after malloc_is_hooked(), whose allocation registers the counters' own fork
  // handlers: in the child, handlers run in the order of registration, and ours needs the counters'
  // lock released.
  pthread_atfork([] { preload.mutex.lock(); }, [] { preload.mutex.unlock(); }, after_fork_in_child);
  preload.written = thread_tallies::of_all_threads();
  std::copy_n(file, std::string_view(file).size(), preload.file.begin());
}

[[gnu::destructor]] void end() noexcept {
  write_line();
}

template <class Function>
Function next(const char* name) noexcept {
  void* const address = dlsym(RTLD_NEXT, name);
  return reinterpret_cast<Function>(address);
}

}  // namespace
}  // namespace assay

#define ASSAY_EXPORT extern "C" [[gnu::visibility("default")]]

ASSAY_EXPORT void _exit(int status) {
  assay::write_line();
  for (;;) syscall(SYS_exit_group, status);
}

ASSAY_EXPORT void _Exit(int status) noexcept {
  assay::write_line();
  for (;;) syscall(SYS_exit_group, status);
}

ASSAY_EXPORT int execve(const char* path, char* const arguments[],
                        char* const variables[]) noexcept {
  assay::write_line();
  return assay::next<decltype(&execve)>("execve")(path, arguments, variables);
}

ASSAY_EXPORT int execv(const char* path, char* const arguments[]) noexcept {
  assay::write_line();
  return assay::next<decltype(&execv)>("execv")(path, arguments);
}

ASSAY_EXPORT int execvp(const char* file, char* const arguments[]) noexcept {
  assay::write_line();
  return assay::next<decltype(&execvp)>("execvp")(file, arguments);
}
