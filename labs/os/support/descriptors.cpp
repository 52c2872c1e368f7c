#include <assay/os/support/descriptors.hpp>

#include <fcntl.h>
#include <sys/resource.h>

#include <algorithm>

namespace assay::os {
namespace {

constexpr rlim_t kept_back = 40;  // not for the batch: standard streams, sockets of the case
constexpr Calls most = 1000;

// The limit of descriptors, after raising it to the hard limit or to 2^20, whichever is less.
rlim_t descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 256;
  const rlim_t wanted = std::min<rlim_t>(limit.rlim_max, 1U << 20U);
  if (limit.rlim_cur < wanted) {
    limit.rlim_cur = wanted;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  return limit.rlim_cur;
}

}  // namespace

Calls calls_for_descriptors(int each, int threads) {
  const rlim_t limit = descriptor_limit();
  const rlim_t free = limit > kept_back ? limit - kept_back : 0;
  const auto calls = static_cast<Calls>(free) / (static_cast<Calls>(each) * threads);
  return std::clamp<Calls>(calls, 1, most);
}

Status need_descriptors(std::int64_t needed) {
  const rlim_t limit = descriptor_limit();
  if (limit >= static_cast<rlim_t>(needed) + kept_back) return {};
  return host_lacks("needs " + std::to_string(needed) + " descriptors, the limit is " +
                    std::to_string(limit) + " (ulimit -Hn)");
}

Result<FileDescriptor> open_file(const std::string& path, int flags, unsigned mode) {
  FileDescriptor file(open(path.c_str(), flags | O_CLOEXEC, mode));
  if (!file) return failed("open " + path);
  return file;
}

}  // namespace assay::os
