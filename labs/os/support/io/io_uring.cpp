#include <assay/os/support/io/io_uring.hpp>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

namespace assay::os {
namespace {

template <class T>
T* at(void* begin, std::uint32_t offset) {
  return reinterpret_cast<T*>(static_cast<std::byte*>(begin) + offset);
}

}  // namespace

Made<IoUring> IoUring::make() {
  io_uring_params facts{};
  FileDescriptor opened(static_cast<int>(syscall(SYS_io_uring_setup, 4, &facts)));
  if (!opened) {
    return host_lacks(failed("io_uring_setup").what + " (kernel.io_uring_disabled, or seccomp)");
  }
  if ((facts.features & IORING_FEAT_SINGLE_MMAP) == 0) {
    return host_lacks("io_uring of Linux 5.4 or newer");
  }
  std::unique_ptr<IoUring> ring(new IoUring);
  ring->ring_ = std::move(opened);
  if (const Status done = ring->map(facts); !done) return done.error();
  return ring;
}

IoUring::~IoUring() {
  for (const Area& area : {queues_, entries_}) {
    if (area.begin != nullptr) munmap(area.begin, area.bytes);
  }
}

bool IoUring::map_area(Area& area, std::size_t bytes, std::uint64_t what) const {
  void* const begin = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                           ring_.number(), static_cast<off_t>(what));
  if (begin == MAP_FAILED) return false;
  area = {begin, bytes};
  return true;
}

Status IoUring::map(const io_uring_params& facts) {
  const std::size_t sent = facts.sq_off.array + facts.sq_entries * sizeof(unsigned);
  const std::size_t done = facts.cq_off.cqes + facts.cq_entries * sizeof(io_uring_cqe);
  if (!map_area(queues_, std::max(sent, done), IORING_OFF_SQ_RING) ||
      !map_area(entries_, facts.sq_entries * sizeof(io_uring_sqe), IORING_OFF_SQES)) {
    return failed("mmap of an io_uring");
  }
  sent_tail_ = at<unsigned>(queues_.begin, facts.sq_off.tail);
  sent_order_ = at<unsigned>(queues_.begin, facts.sq_off.array);
  sent_mask_ = *at<unsigned>(queues_.begin, facts.sq_off.ring_mask);
  done_head_ = at<unsigned>(queues_.begin, facts.cq_off.head);
  done_tail_ = at<unsigned>(queues_.begin, facts.cq_off.tail);
  done_mask_ = *at<unsigned>(queues_.begin, facts.cq_off.ring_mask);
  done_ = at<io_uring_cqe>(queues_.begin, facts.cq_off.cqes);
  return {};
}

int IoUring::once(const io_uring_sqe& entry) {
  const unsigned tail = *sent_tail_;
  const unsigned place = tail & sent_mask_;
  static_cast<io_uring_sqe*>(entries_.begin)[place] = entry;
  sent_order_[place] = place;
  std::atomic_ref(*sent_tail_).store(tail + 1, std::memory_order_release);
  if (syscall(SYS_io_uring_enter, ring_.number(), 1, 1, IORING_ENTER_GETEVENTS, nullptr, 0) < 0) {
    return -errno;
  }
  const unsigned head = *done_head_;
  if (std::atomic_ref(*done_tail_).load(std::memory_order_acquire) == head) return -EAGAIN;
  const int result = done_[head & done_mask_].res;
  std::atomic_ref(*done_head_).store(head + 1, std::memory_order_release);
  return result;
}

}  // namespace assay::os
