// Purpose: which records the structure must hold now, and which versions of their values.
//
//   ExpectedRecords expected(options, records);  // with --verify
//   expected.removed(place, id);
//   const bool is_there = expected.holds(place, id);
//
// A record is inserted at most once and removed at most once, so what the operations imply is
// known however threads meet. Of versions, each thread knows its own: a value must be the last
// that some thread wrote to its record.
//
// Thread safety: any thread, given its own place; `latest` takes a thread's own insertions only.
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

  /// Whether nobody else can have changed it meanwhile: then each result must be as holds().
  [[nodiscard]] bool is_certain(std::uint64_t id) const {
    return !has_removes_ || threads_ == 1 || id >= records_;
  }

  /// Whether the version may be what is there at the end.
  [[nodiscard]] bool may_be_last(const ThreadPartition& place, std::uint64_t id,
                                 std::uint32_t version) const;

  [[nodiscard]] std::uint64_t inserts_of(std::uint32_t thread) const {
    return own_[thread].held.size();
  }
  [[nodiscard]] std::uint64_t held() const;

 private:
  struct alignas(64) Own {
    std::vector<bool> held{};           // inserted by this thread, in order
    std::vector<std::uint32_t> last{};  // version it wrote to each loaded record; 0: none
    std::vector<std::uint32_t> last_inserted{};
  };
  [[nodiscard]] std::uint64_t nth(const ThreadPartition& place, std::uint64_t id) const {
    return (id - records_ - place.thread) / threads_;
  }

  std::uint64_t records_;
  std::uint32_t threads_;
  bool has_removes_;
  bool knows_first_;  // what was loaded is of this run
  std::vector<std::atomic<std::uint64_t>> loaded_;
  std::vector<Own> own_;
};

/// A version that tells its writer: never 0, which is what loading writes.
constexpr std::uint32_t version_by(const ThreadPartition& place, std::uint64_t nth) {
  return static_cast<std::uint32_t>(nth * place.threads + place.thread + 1);
}
constexpr std::uint32_t writer_of(std::uint32_t version, std::uint32_t threads) {
  return (version - 1) % threads;
}

}  // namespace assay::index
