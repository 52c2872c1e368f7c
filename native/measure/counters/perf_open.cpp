#include <assay/measure/counters/perf_open.hpp>

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace assay {
namespace {

perf_event_attr attributes_of(const CounterEvent& event, const PerfTarget& target) {
  perf_event_attr attributes;
  std::memset(&attributes, 0, sizeof attributes);  // the kernel checks the padding, too
  attributes.size = sizeof attributes;
  attributes.type = event.type;
  attributes.config = event.config;
  attributes.config1 = event.config1;
  attributes.config2 = event.config2;
  attributes.disabled = 1;
  attributes.inherit = target.inherit ? 1 : 0;
  if (!target.is_uncore) {
    attributes.exclude_user = event.in_user ? 0 : 1;
    attributes.exclude_kernel = event.in_kernel ? 0 : 1;
    attributes.exclude_hv = event.in_kernel ? 0 : 1;
  }
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return attributes;
}

std::string paranoia() {
  std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
  std::string level;
  file >> level;
  return level.empty() ? "unknown" : level;
}

}  // namespace

Error perf_error(const CounterEvent& event, int code) {
  const auto error = [&](std::string what, std::string hint) {
    return Error{std::move(what), event.name, std::move(hint), code};
  };
  switch (code) {
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
      return error("not supported on this host",
                   "no PMU, or the hypervisor hides it, or this CPU lacks the event");
    case EACCES:
    case EPERM:
      return error("not permitted: kernel.perf_event_paranoid is " + paranoia(),
                   "count user code only (" + event.name + ":u), lower it, or use CAP_PERFMON");
    case EINVAL:
      return error("the kernel does not accept this event", "wrong code, or modifier, for the CPU");
    case EMFILE:
    case ENFILE:
      return error("too many open files", "raise `ulimit -n`, or ask for fewer counters");
    case EBUSY:
      return error("something else holds the counters", "the NMI watchdog, or another profiler");
    case ENOSYS:
      return error("this kernel has no perf_event_open", "a container's seccomp filter, perhaps");
    default:
      return error(std::strerror(code), "");
  }
}

Result<FileDescriptor> perf_open(const CounterEvent& event, const PerfTarget& target) {
  perf_event_attr attributes = attributes_of(event, target);
  const long number = syscall(SYS_perf_event_open, &attributes, target.pid, target.cpu,
                              target.leader, PERF_FLAG_FD_CLOEXEC);
  if (number < 0) return perf_error(event, errno);
  return FileDescriptor(static_cast<int>(number));
}

}  // namespace assay
