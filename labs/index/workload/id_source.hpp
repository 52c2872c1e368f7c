// Purpose: which records a thread's operations take, drawn a block at a time.
//
//   auto ids = assay::index::make_id_source(options.access, place, seed);
//   ids->draw(block, inserted);                // inserted: how many this thread has so far
//
// All distributions choose among the records loaded. `latest` chooses among those and what its own
// thread has inserted, the newest most often; so threads need not share what they insert.
//
// Thread safety: one per thread. Cost: a virtual call a block; a record 0.5 ns (uniform) to
// 4 ns (zipfian, selfsimilar).
#pragma once

#include <assay/index/options/options.hpp>

#include <cstdint>
#include <memory>
#include <span>

namespace assay::index {

/// One of `threads` threads, with ids for its inserts: beyond the loaded records every threads-th
/// id belongs to it, so that no two threads insert the same key.
struct ThreadPartition {
  std::uint64_t records{0};
  std::uint32_t thread{0};
  std::uint32_t threads{1};

  [[nodiscard]] std::uint64_t inserted_id(std::uint64_t nth) const {
    return records + thread + nth * threads;
  }
};

class IdSource {
 public:
  virtual ~IdSource() = default;
  virtual void draw(std::span<std::uint64_t> ids, std::uint64_t inserted) = 0;
};

std::unique_ptr<IdSource> make_id_source(const Access& access, const ThreadPartition& place,
                                         std::uint64_t seed);

}  // namespace assay::index
