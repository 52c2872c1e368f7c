// file_watcher inotify|fanotify FOLDER: says "ready", then "events N" as files in FOLDER are
// opened, read and closed, and "lost N" as its queue overflows, until it is told to end. fanotify
// needs root.
#include <fcntl.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace {

using Buffer = std::array<char, 65536>;

int watch_inotify(const char* folder) {
  const int queue = inotify_init1(IN_CLOEXEC);
  const unsigned events = IN_OPEN | IN_ACCESS | IN_CLOSE_NOWRITE;
  return queue >= 0 && inotify_add_watch(queue, folder, events) >= 0 ? queue : -1;
}

int watch_fanotify(const char* folder) {
  const int queue = fanotify_init(FAN_CLASS_NOTIF | FAN_CLOEXEC, O_RDONLY);
  const std::uint64_t events = FAN_OPEN | FAN_ACCESS | FAN_CLOSE_NOWRITE | FAN_EVENT_ON_CHILD;
  if (queue < 0 || fanotify_mark(queue, FAN_MARK_ADD, events, AT_FDCWD, folder) != 0) return -1;
  return queue;
}

struct Counted {
  std::size_t events = 0;
  std::size_t overflows = 0;
};

Counted count_inotify(const Buffer& buffer, std::size_t size) {
  Counted counted;
  for (std::size_t at = 0; at < size; ++counted.events) {
    inotify_event event{};
    std::memcpy(&event, buffer.data() + at, sizeof event);
    if ((event.mask & IN_Q_OVERFLOW) != 0) ++counted.overflows;
    at += sizeof event + event.len;
  }
  return counted;
}

// Each event comes with a descriptor of the file, which is ours to close.
Counted count_fanotify(const Buffer& buffer, std::size_t size) {
  Counted counted;
  for (std::size_t at = 0; at < size; ++counted.events) {
    fanotify_event_metadata event{};
    std::memcpy(&event, buffer.data() + at, sizeof event);
    if ((event.mask & FAN_Q_OVERFLOW) != 0) ++counted.overflows;
    if (event.fd >= 0) close(event.fd);
    at += event.event_len;
  }
  return counted;
}

int say_events(int queue, Counted (*count)(const Buffer&, std::size_t)) {
  std::puts("ready");
  std::fflush(stdout);
  Buffer buffer{};
  ssize_t size = 0;
  while ((size = read(queue, buffer.data(), buffer.size())) > 0) {
    const Counted counted = count(buffer, static_cast<std::size_t>(size));
    std::printf("events %zu\n", counted.events);
    if (counted.overflows > 0) std::printf("lost %zu\n", counted.overflows);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  const std::string_view kind = count == 3 ? words[1] : "";
  if (kind != "inotify" && kind != "fanotify") {
    std::fputs("usage: file_watcher inotify|fanotify FOLDER\n", stderr);
    return 2;
  }
  const bool fanotify = kind == "fanotify";
  const int queue = fanotify ? watch_fanotify(words[2]) : watch_inotify(words[2]);
  if (queue < 0) {
    std::fprintf(stderr, "file_watcher: %s: %s\n", words[2], std::strerror(errno));
    return 2;
  }
  return say_events(queue, fanotify ? count_fanotify : count_inotify);
}
