#include <assay/measure/loop/loop_counters.hpp>

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace assay {
namespace {

struct Wanted {
  const char* name;
  std::uint32_t type;
  std::uint64_t config;
};

constexpr std::array<Wanted, LoopCounters::events> wanted{{
    {"cpu_migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cache_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"branch_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
}};

int open_event(const Wanted& one, bool without_kernel) noexcept {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = one.type;
  attributes.config = one.config;
  attributes.disabled = 1;
  attributes.inherit = 1;
  attributes.exclude_hv = 1;
  attributes.exclude_kernel = without_kernel ? 1 : 0;
  return static_cast<int>(
      syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

std::uint64_t difference(long after, long before) noexcept {
  return static_cast<std::uint64_t>(after - before);
}

}  // namespace

void LoopCounters::open() noexcept {
  is_open_ = true;
  for (std::size_t i = 0; i < events; ++i) {
    int file = open_event(wanted[i], false);
    // Counts user code only, which needs no privilege.
    if (file < 0 && errno == EACCES) file = open_event(wanted[i], true);
    open_[i] = {.file = file, .why_not = file < 0 ? errno : 0};
  }
}

void LoopCounters::begin() noexcept {
  if (!is_open_) open();
  for (const Event& one : open_) {
    if (one.file < 0) continue;
    ioctl(one.file, PERF_EVENT_IOC_RESET, 0);
    ioctl(one.file, PERF_EVENT_IOC_ENABLE, 0);
  }
  getrusage(RUSAGE_SELF, &before_);
}

std::array<LoopCount, LoopCounters::events + LoopCounters::usages> LoopCounters::end() noexcept {
  rusage after{};
  getrusage(RUSAGE_SELF, &after);
  std::array<LoopCount, events + usages> counts{{
      {"minor_faults", difference(after.ru_minflt, before_.ru_minflt), 0},
      {"major_faults", difference(after.ru_majflt, before_.ru_majflt), 0},
      {"waits", difference(after.ru_nvcsw, before_.ru_nvcsw), 0},
      {"preemptions", difference(after.ru_nivcsw, before_.ru_nivcsw), 0},
  }};
  for (std::size_t i = 0; i < events; ++i) {
    std::uint64_t value = 0;
    int why_not = open_[i].why_not;
    if (why_not == 0) {
      ioctl(open_[i].file, PERF_EVENT_IOC_DISABLE, 0);
      if (read(open_[i].file, &value, sizeof value) != sizeof value) why_not = EIO;
    }
    counts[usages + i] = {wanted[i].name, value, why_not};
  }
  return counts;
}

}  // namespace assay
