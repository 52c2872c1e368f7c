#include <assay/os/support/io/watched_sockets.hpp>

#include <assay/os/support/descriptors.hpp>

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace assay::os {

std::vector<Option> watching_options() {
  return {number('n', "descriptors", "256", "descriptors looked at; even"),
          number('r', "readable", "0", "of which can be read"),
          number('w', "writable", "0", "of which are asked whether they can be written"),
          flag('x', "highest", "the readable ones are the highest, not the lowest")};
}

Made<WatchedSockets> WatchedSockets::make(const Setting& setting) {
  const std::int64_t count = setting.number('n');
  if (count < 2 || count % 2 != 0) return Error{"must be even, and 2 or more", "-n"};
  if (std::max(setting.number('r'), setting.number('w')) > count) {
    return Error{"more than there are descriptors", "-r or -w", "see -n"};
  }
  if (const Status done = need_descriptors(count); !done) return done.error();
  auto sockets = std::make_unique<WatchedSockets>(setting);
  if (const Status done = sockets->open_pairs(count); !done) return done.error();
  if (const Status done = sockets->make_readable(); !done) return done.error();
  return sockets;
}

Status WatchedSockets::open_pairs(std::int64_t count) {
  for (std::int64_t i = 0; i < count; i += 2) {
    std::array<int, 2> pair{};
    if (socketpair(PF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0) {
      return failed("socketpair");
    }
    for (const int end : pair) {
      open_.emplace_back(end);
      numbers_.push_back(end);
    }
  }
  return {};
}

Status WatchedSockets::make_readable() const {
  const auto count = static_cast<std::int64_t>(numbers_.size());
  for (std::int64_t i = 0; i < readable_; ++i) {
    const std::int64_t at = highest_ ? count - 1 - i : i;
    const std::int64_t other = at ^ 1;  // the other socket of the pair
    if (write(numbers_[static_cast<std::size_t>(other)], "", 1) != 1) return failed("write");
  }
  return {};
}

std::int64_t WatchedSockets::ready() const {
  if (!highest_) return std::max(readable_, writable_);
  return std::min(readable_ + writable_, static_cast<std::int64_t>(numbers_.size()));
}

}  // namespace assay::os
