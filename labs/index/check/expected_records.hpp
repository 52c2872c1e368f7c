// Purpose: which records the structure must hold now, and which versions of their values.
//
//   ExpectedRecords expected(options, records);  // with --verify
//   expected.removed(place, id);
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

  void inserted(const ThreadPartition& place, std::uint64_t id, bool succeeded);
  /// False where the record was not there: it was removed before, or never.
  bool removed(const ThreadPartition& place, std::uint64_t id);
  void wrote(const ThreadPartition& place, std::uint64_t id, std::uint32_t version);

  [[nodiscard]] bool holds(const ThreadPartition& place, std::uint64_t id) const;

  /// Whether no other thread can have removed the record meanwhile: then what an operation
  /// returns must agree with holds().
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
  struct alignas(64) Own {
    std::vector<bool> held{};           // for each record this thread inserted: is it there?
    std::vector<std::uint32_t> last{};  // version it last wrote to each loaded record; 0: none
    std::vector<std::uint32_t> last_inserted{};  // the same for each record it inserted
  };
  [[nodiscard]] std::uint64_t nth(const ThreadPartition& place, std::uint64_t id) const {
    return (id - records_ - place.thread) / threads_;
  }

  std::uint64_t records_;
  std::uint32_t threads_;
  bool has_removes_;
  bool knows_first_;  // this run loaded the records, so a value nobody wrote to has version 0
  std::vector<std::atomic<std::uint64_t>> loaded_;
  std::vector<Own> own_;
};

/// A version from which writer_of() finds the thread that wrote it; never 0, which loading writes.
constexpr std::uint32_t version_by(const ThreadPartition& place, std::uint64_t nth) {
  return static_cast<std::uint32_t>(nth * place.threads + place.thread + 1);
}
constexpr std::uint32_t writer_of(std::uint32_t version, std::uint32_t threads) {
  return (version - 1) % threads;
}

}  // namespace assay::index
