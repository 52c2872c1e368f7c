// Runs inside programs of others: nothing here may allocate, throw, or change their errno.
#include <assay/measure/delay/delay.hpp>

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <ctime>

namespace assay {
namespace {

using ClockGettime = int (*)(clockid_t, timespec*);

struct ThreadDelay {
  std::int64_t last_ns;  // when this thread's last clock reading returned; 0: none yet
  OwedDelay owed;
};

constinit std::atomic<Delays*> kept{nullptr};
constinit double share{0};
constinit thread_local ThreadDelay here{.last_ns = 0, .owed = {}};

/// Maps the file, which belongs to the first process that opens it. Processes that it starts find
/// the file in use and are not delayed: the process that waits for them already is. The same
/// process may open it twice, because Google Benchmark 1.9.2 executes itself again without address
/// randomisation.
Delays* open_file() noexcept {
  const char* const path = std::getenv("ASSAY_DELAY_FILE");
  if (path == nullptr) return nullptr;
  const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return nullptr;
  void* memory = MAP_FAILED;
  if (ftruncate(file, sizeof(Delays)) == 0) {
    memory = mmap(nullptr, sizeof(Delays), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  close(file);
  if (memory == MAP_FAILED) return nullptr;
  auto* const made = static_cast<Delays*>(memory);
  if (made->process != 0 && made->process != getpid()) {
    munmap(memory, sizeof(Delays));
    return nullptr;
  }
  made->format = Delays::mark;
  made->process = getpid();
  made->ran_ns = made->added_ns = made->readings = 0;
  return made;
}

[[gnu::constructor]] void begin() noexcept {
  const char* const asked = std::getenv("ASSAY_DELAY_SHARE");
  share = asked == nullptr ? 0 : std::strtod(asked, nullptr);
  kept.store(open_file());
  if (kept.load() != nullptr) pthread_atfork(nullptr, nullptr, [] { kept.store(nullptr); });
}

ClockGettime next() noexcept {
  static constinit std::atomic<ClockGettime> found{nullptr};
  if (ClockGettime known = found.load(); known != nullptr) return known;
  const auto sought = reinterpret_cast<ClockGettime>(dlsym(RTLD_NEXT, "clock_gettime"));
  found.store(sought);
  return sought;
}

std::int64_t now_ns() noexcept {
  timespec time{};
  next()(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

bool tells_real_time(clockid_t clock) noexcept {
  return clock == CLOCK_MONOTONIC || clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC_RAW ||
         clock == CLOCK_BOOTTIME;
}

void delay(Delays& file) noexcept {
  const std::int64_t came_ns = now_ns();
  std::int64_t leaves_ns = came_ns;
  if (here.last_ns != 0) {
    const std::int64_t ran_ns = came_ns - here.last_ns;
    file.ran_ns += ran_ns;
    if (const std::int64_t wait_ns = here.owed.wait_ns_after(ran_ns, share); wait_ns != 0) {
      while (leaves_ns < came_ns + wait_ns) leaves_ns = now_ns();
      here.owed.subtract_wait(leaves_ns - came_ns);
      file.added_ns += leaves_ns - came_ns;
    }
  }
  ++file.readings;
  here.last_ns = leaves_ns;
}

}  // namespace
}  // namespace assay

extern "C" [[gnu::visibility("default")]] int clock_gettime(clockid_t clock,
                                                            timespec* time) noexcept {
  assay::Delays* const file = assay::kept.load();
  if (file != nullptr && assay::tells_real_time(clock)) assay::delay(*file);
  return assay::next()(clock, time);
}
