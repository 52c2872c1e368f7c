// Purpose: which records the structure must hold now, and which versions of their values.
//
//   ExpectedRecords expected(options, records);  // with --verify
//   expected.note_remove(place, id);
//   const bool is_there = expected.holds(place, id);
//
// A record is inserted at most once and removed at most once, so which records there must be is
// known in whatever order the threads' operations took effect. Which version is there is not:
// each thread knows its own, and a value must be the last that some thread wrote to its record.
//
// Thread safety: any thread, given its own place; what a thread inserted only it operates on.
// Cost: a bit a record and 4 bytes a record and thread; only with --verify.
#pragma once

#include <assay/index/options/options.hpp>
#include <assay/index/workload/id_source.hpp>

#include <atomic>
#include <cstdint>
#include <vector>

namespace assay::index {

class ExpectedRecords {
 public:
  explicit ExpectedRecords(const Options& options, std::uint64_t records);

  void note_insert(const ThreadPartition& place, std::uint64_t id, bool succeeded);
  /// Notes that a remove succeeded. False where the record was not there: removed before, or never
  /// inserted.
  bool note_remove(const ThreadPartition& place, std::uint64_t id);
  void note_write(const ThreadPartition& place, std::uint64_t id, std::uint32_t version);

  [[nodiscard]] bool holds(const ThreadPartition& place, std::uint64_t id) const;

  /// Whether no other thread can have removed the record: then the result of an operation on it
  /// must agree with holds().
  [[nodiscard]] bool is_certain(std::uint64_t id) const {
    return !has_removes_ || threads_ == 1 || id >= records_;
  }

  /// Whether a value of this version may be in the record at the end of the run.
  [[nodiscard]] bool may_be_last(const ThreadPartition& place, std::uint64_t id,
                                 std::uint32_t version) const;

  [[nodiscard]] std::uint64_t inserts_of(std::uint32_t thread) const {
    return own_[thread].held.size();
  }
  [[nodiscard]] std::uint64_t held() const;

 private:
  struct alignas(64) ThreadRecords {
    // For each record that this thread inserted: whether it is there.
    std::vector<bool> held{};
    // For each loaded record: the version that this thread wrote last; 0: none.
    std::vector<std::uint32_t> last{};
    // For each record that this thread inserted: the version that it wrote last.
    std::vector<std::uint32_t> last_inserted{};
  };
  [[nodiscard]] std::uint64_t nth(const ThreadPartition& place, std::uint64_t id) const {
    return (id - records_ - place.thread) / threads_;
  }

  std::uint64_t records_;
  std::uint32_t threads_;
  bool has_removes_;
  // This run loaded the records, so a value that no operation wrote has version 0.
  bool knows_first_;
  std::vector<std::atomic<std::uint64_t>> loaded_;
  std::vector<ThreadRecords> own_;
};

/// The version of a thread's nth write, from which writer_of() finds the thread. Never 0, which is
/// the version of loaded values.
constexpr std::uint32_t version_by(const ThreadPartition& place, std::uint64_t nth) {
  return static_cast<std::uint32_t>(nth * place.threads + place.thread + 1);
}
constexpr std::uint32_t writer_of(std::uint32_t version, std::uint32_t threads) {
  return (version - 1) % threads;
}

}  // namespace assay::index
