// Purpose: finds the file that a hard link points to, and hard links that form a circle.
//
//   HardLinks links;
//   links.add(job, 7, id);                // a file with more than one name
//   links.target(job, 7);                 // id
//   links.add_hanging(job, 9, 8);         // false: it would close a circle of such links
//
// Links whose first name has not come are remembered only to recognise such circles.
// Thread safety: one thread. Cost: some 20 to 50 bytes for each hard-linked name.
#pragma once

#include <assay/restore/compact/key_map.hpp>

namespace assay::restore {

class HardLinks {
 public:
  [[nodiscard]] bool is_empty() const { return targets_.is_empty(); }

  /// The entry to restore for this (JobId, FileIndex), or no_id. If several were added, the first.
  [[nodiscard]] EntryId target(std::uint32_t job_id, std::uint32_t file_index) const {
    return targets_.find(key_of(job_id, file_index));
  }
  void add(std::uint32_t job_id, std::uint32_t file_index, EntryId target) {
    targets_.add_if_absent(key_of(job_id, file_index), target);
  }

  /// Remembers a link to `leads_to`, which no row has defined yet. False, and nothing is stored,
  /// when following such links from `leads_to` comes back to `file_index`. A link that is known
  /// stays as it is. Chains are shortened, so that a long one is not followed twice.
  bool add_hanging(std::uint32_t job_id, std::uint32_t file_index, std::uint32_t leads_to) {
    if (leads_to == file_index) return false;
    const std::uint64_t key = key_of(job_id, file_index);
    if (hanging_.find(key) != no_id) return true;
    const std::uint32_t end = end_of_way(job_id, leads_to);
    if (end == file_index) return false;
    hanging_.set(key, end);
    return true;
  }

  [[nodiscard]] std::size_t memory_bytes() const {
    return targets_.memory_bytes() + hanging_.memory_bytes();
  }

 private:
  [[nodiscard]] std::uint32_t end_of_way(std::uint32_t job_id, std::uint32_t from) {
    std::uint32_t end = from;
    for (std::uint32_t next = end; next != no_id; next = hanging_.find(key_of(job_id, end))) {
      end = next;
    }
    if (end != from) hanging_.set(key_of(job_id, from), end);
    return end;
  }

  KeyMap targets_{};
  KeyMap hanging_{};
};

}  // namespace assay::restore
