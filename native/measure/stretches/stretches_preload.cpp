// Runs inside programs of others: nothing here may allocate, throw, or change their errno.
#include <assay/measure/stretches/stretches.hpp>

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <ctime>

namespace assay {
namespace {

using ClockGettime = int (*)(clockid_t, timespec*);

constinit std::atomic<Stretches*> kept{nullptr};
constinit int schedule{-1};

/// Maps the file, which belongs to the first process that opens it; processes that it starts find
/// the file in use and do not write to it. The same process may open it twice, because Google
/// Benchmark 1.9.2 executes itself again without address randomisation.
Stretches* open_file() noexcept {
  const char* const path = std::getenv("ASSAY_STRETCHES_FILE");
  if (path == nullptr) return nullptr;
  const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return nullptr;
  void* memory = MAP_FAILED;
  if (ftruncate(file, sizeof(Stretches)) == 0) {
    memory = mmap(nullptr, sizeof(Stretches), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  close(file);
  if (memory == MAP_FAILED) return nullptr;
  auto* const made = static_cast<Stretches*>(memory);
  if (made->process != 0 && made->process != getpid()) {
    munmap(memory, sizeof(Stretches));
    return nullptr;
  }
  made->format = Stretches::mark;
  made->count = 0;
  made->process = getpid();
  return made;
}

/// Runs before main, so that opening the files is not part of the first loop's time.
[[gnu::constructor]] void begin() noexcept {
  kept.store(open_file());
  if (kept.load() != nullptr) schedule = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
  if (kept.load() != nullptr) pthread_atfork(nullptr, nullptr, [] { kept.store(nullptr); });
}

/// How long the main thread has waited for a CPU, in ns, from /proc/self/schedstat. A read takes
/// about 1 us and is made at most once a millisecond, because a benchmark may pause its timing in
/// each iteration.
std::int64_t delay_ns(std::int64_t now_ns) noexcept {
  static std::int64_t read_ns = 0;
  static std::int64_t known_ns = 0;
  if (schedule < 0 || now_ns - read_ns < 1'000'000) return known_ns;
  std::array<char, 96> text{};
  if (pread(schedule, text.data(), text.size() - 1, 0) > 0) {
    char* rest = nullptr;
    std::strtoll(text.data(), &rest, 10);
    known_ns = std::strtoll(rest, nullptr, 10);
  }
  read_ns = now_ns;
  return known_ns;
}

std::int64_t ns(const timespec& time) noexcept {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

ClockGettime next() noexcept {
  static constinit std::atomic<ClockGettime> found{nullptr};
  if (ClockGettime known = found.load(); known != nullptr) return known;
  const auto sought = reinterpret_cast<ClockGettime>(dlsym(RTLD_NEXT, "clock_gettime"));
  found.store(sought);
  return sought;
}

void store_moment(const timespec& cpu) noexcept {
  Stretches* const file = kept.load();
  if (file == nullptr) return;
  const std::uint64_t place = file->count.fetch_add(1);
  if (place >= Stretches::most) return;
  timespec real{};
  next()(CLOCK_MONOTONIC, &real);
  const std::int64_t thread = syscall(SYS_gettid);
  const std::int64_t delay = thread == file->process ? delay_ns(ns(real)) : 0;
  file->moments[place] = {ns(real), ns(cpu), thread, delay};
}

}  // namespace
}  // namespace assay

extern "C" [[gnu::visibility("default")]] int clock_gettime(clockid_t clock,
                                                            timespec* time) noexcept {
  const int done = assay::next()(clock, time);
  const bool of_cpu = clock == CLOCK_THREAD_CPUTIME_ID || clock == CLOCK_PROCESS_CPUTIME_ID;
  if (of_cpu && done == 0) assay::store_moment(*time);
  return done;
}
