#include <assay/primitives/stream/stream_types.hpp>

#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace assay::primitives {
namespace {

constexpr std::size_t page_bytes = 4'096;
// The largest pipe that an unprivileged process may have by default (fs.pipe-max-size).
constexpr int wanted_pipe_bytes = 1 << 20;

[[noreturn]] void fail(const char* call) {
  throw std::system_error(errno, std::generic_category(), call);
}

void write_all(int file, const char* data, std::size_t left) {
  while (left > 0) {
    const ssize_t wrote = ::write(file, data, left);
    if (wrote < 0 && errno != EINTR) fail("write");
    if (wrote <= 0) continue;
    data += wrote;
    left -= static_cast<std::size_t>(wrote);
  }
}

void read_all(int file, char* data, std::size_t left) {
  while (left > 0) {
    const ssize_t got = ::read(file, data, left);
    if (got < 0 && errno != EINTR) fail("read");
    if (got <= 0) continue;
    data += got;
    left -= static_cast<std::size_t>(got);
  }
}

/// How many pages of a pipe a message takes at most: it may be unable to use the rest of the last
/// page.
std::size_t pages_of(std::size_t size) {
  return size / page_bytes + (size % page_bytes == 0 ? 0 : 1);
}

}  // namespace

StreamType::EventFd::EventFd(Shape shape)
    : ring_(shape.items, std::string(shape.size, ' ')), counter_(eventfd(0, EFD_SEMAPHORE)) {
  if (counter_ < 0) fail("eventfd");
}

StreamType::EventFd::~EventFd() {
  close(counter_);
}

bool StreamType::EventFd::try_send(const std::string& message) {
  const std::size_t at = sent_.load(std::memory_order_relaxed);
  if (at - received_.load(std::memory_order_acquire) == ring_.size()) return false;
  ring_[at % ring_.size()] = message;
  sent_.store(at + 1, std::memory_order_release);
  const std::uint64_t one = 1;
  if (::write(counter_, &one, sizeof one) != sizeof one) fail("write to an eventfd");
  return true;
}

void StreamType::EventFd::receive(std::string& into) {
  std::uint64_t one = 0;
  while (::read(counter_, &one, sizeof one) != sizeof one) {
    if (errno != EINTR) fail("read of an eventfd");
  }
  const std::size_t at = received_.load(std::memory_order_relaxed);
  sent_.load(std::memory_order_acquire);
  into.swap(ring_[at % ring_.size()]);
  received_.store(at + 1, std::memory_order_release);
}

StreamType::Pipe::Pipe(Shape shape) : size_(shape.size) {
  int ends[2];  // NOLINT(modernize-avoid-c-arrays): pipe2's
  if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe2");
  reading_ = ends[0];
  writing_ = ends[1];
  fcntl(writing_, F_SETPIPE_SZ, wanted_pipe_bytes);
  const int bytes = fcntl(writing_, F_GETPIPE_SZ);
  if (bytes < 0) fail("F_GETPIPE_SZ");
  most_under_way_ = static_cast<std::size_t>(bytes) / page_bytes / pages_of(size_);
}

StreamType::Pipe::~Pipe() {
  close(reading_);
  close(writing_);
}

bool StreamType::Pipe::try_send(const std::string& message) {
  const std::size_t at = sent_.load(std::memory_order_relaxed);
  if (at - received_.load(std::memory_order_acquire) >= most_under_way_) return false;
  send(message);
  return true;
}

void StreamType::Pipe::send(const std::string& message) {
  write_all(writing_, message.data(), size_);
  sent_.store(sent_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void StreamType::Pipe::receive(std::string& into) {
  into.resize(size_);
  read_all(reading_, into.data(), size_);
  received_.store(received_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

}  // namespace assay::primitives
