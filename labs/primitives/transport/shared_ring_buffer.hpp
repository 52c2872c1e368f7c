// Purpose: a stream of bytes from one thread or process to another, through shared memory.
//
//   SharedRingBuffer ring;
//   ring.write_some(bytes);                        // how many went in, or would_block
//   if (ring.wants_to_read()) wait_for(ring.data_fd());   // readable: there is more, or the end
//   ring.woken_to_read();
//   ring.read_some(bytes);                         // how many came, would_block, or 0: closed
//
// Thread safety: one reader, one writer. Cost: copying in and out; a system call only where the
// other side has announced that it will sleep.
#pragma once

#include <assay/system/file_descriptor.hpp>
#include <assay/system/shared_pages.hpp>

#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace assay::primitives {

/// The result of read_some() and write_some() when nothing can be read or written now.
inline constexpr std::ptrdiff_t would_block = -1;

class SharedRingBuffer {
 public:
  static constexpr std::size_t capacity = 65'536;  // like a pipe's

  SharedRingBuffer() {
    if (shared_) memory_ = &**shared_;
  }
  SharedRingBuffer(const SharedRingBuffer&) = delete;
  SharedRingBuffer& operator=(const SharedRingBuffer&) = delete;

  [[nodiscard]] bool ok() const { return memory_ != nullptr && data_ && space_; }
  [[nodiscard]] int data_fd() const { return data_.number(); }
  [[nodiscard]] int space_fd() const { return space_.number(); }

  std::ptrdiff_t write_some(std::span<const std::byte> bytes) {
    const std::uint64_t at = memory_->written.load(std::memory_order_relaxed);
    const std::size_t room = capacity - (at - memory_->read.load());
    const std::size_t count = std::min(bytes.size(), room);
    if (count == 0) return memory_->reader_is_gone ? 0 : would_block;
    const std::size_t first = std::min(count, capacity - at % capacity);
    std::memcpy(&memory_->bytes[at % capacity], bytes.data(), first);
    std::memcpy(memory_->bytes.data(), bytes.data() + first, count - first);
    memory_->written.store(at + count);
    wake(memory_->reader_sleeps, data_);
    return static_cast<std::ptrdiff_t>(count);
  }

  std::ptrdiff_t read_some(std::span<std::byte> bytes) {
    const std::uint64_t at = memory_->read.load(std::memory_order_relaxed);
    const std::size_t count = std::min<std::size_t>(bytes.size(), memory_->written.load() - at);
    if (count == 0) return memory_->is_closed ? 0 : would_block;
    const std::size_t first = std::min(count, capacity - at % capacity);
    std::memcpy(bytes.data(), &memory_->bytes[at % capacity], first);
    std::memcpy(bytes.data() + first, memory_->bytes.data(), count - first);
    memory_->read.store(at + count);
    wake(memory_->writer_sleeps, space_);
    return static_cast<std::ptrdiff_t>(count);
  }

  /// Announces that the reader will sleep; false where there is something to read already. Its
  /// accesses are sequentially consistent, as are those of the writer, which stores and then checks
  /// whether the reader sleeps: so at least one of the two sees what the other has done.
  [[nodiscard]] bool wants_to_read() {
    memory_->reader_sleeps = true;
    return memory_->written.load() == memory_->read.load() && !memory_->is_closed;
  }
  [[nodiscard]] bool wants_to_write() {
    memory_->writer_sleeps = true;
    return memory_->written.load() - memory_->read.load() == capacity && !memory_->reader_is_gone;
  }
  void woken_to_read() { drain(data_); }
  void woken_to_write() { drain(space_); }

  void close() {
    memory_->is_closed = true;
    signal(data_);
  }
  /// Called by the reader's side when it closes: a writer that waits for room is woken, and its
  /// write_some() returns 0.
  void stop_reading() {
    memory_->reader_is_gone = true;
    signal(space_);
  }

 private:
  struct Memory {
    alignas(64) std::atomic<std::uint64_t> written{0};
    alignas(64) std::atomic<std::uint64_t> read{0};
    alignas(64) std::atomic<bool> reader_sleeps{false};
    alignas(64) std::atomic<bool> writer_sleeps{false};
    std::atomic<bool> is_closed{false};
    std::atomic<bool> reader_is_gone{false};
    alignas(64) std::array<std::byte, capacity> bytes;
  };
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

  static void signal(const FileDescriptor& event) { eventfd_write(event.number(), 1); }
  static void drain(const FileDescriptor& event) {
    eventfd_t count = 0;
    eventfd_read(event.number(), &count);
  }
  static void wake(std::atomic<bool>& sleeps, const FileDescriptor& event) {
    if (sleeps.load() && sleeps.exchange(false)) signal(event);
  }

  FileDescriptor data_{eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  FileDescriptor space_{eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  Result<Shared<Memory>> shared_{Shared<Memory>::make()};
  Memory* memory_ = nullptr;
};

}  // namespace assay::primitives
