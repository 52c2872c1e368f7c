// Purpose: gathers pairs of (JobId, FileIndex) into the ranges that a restore reads.
//
//   BootstrapList list;
//   list.add(1, 7);
//   list.add(1, 8);
//   list.finish();   // {{job 1, 7 to 8}}
//
// Thread safety: one thread. Cost: the memory of the ranges. A FileIndex mostly extends the latest
// range, which takes no memory; finish() sorts and merges the ranges.
#pragma once

#include <assay/restore/tree/restore_tree.hpp>

#include <algorithm>

namespace assay::restore {

class BootstrapList {
 public:
  void add(std::uint32_t job_id, std::uint32_t file_index) {
    if (!ranges_.empty()) {
      BootstrapRange& last = ranges_.back();
      if (last.job_id == job_id && file_index >= last.first && file_index <= last.last + 1) {
        last.last = std::max(last.last, file_index);
        return;
      }
    }
    ranges_.push_back({job_id, file_index, file_index});
  }

  std::vector<BootstrapRange> finish() && {
    if (!std::is_sorted(ranges_.begin(), ranges_.end())) std::sort(ranges_.begin(), ranges_.end());
    std::vector<BootstrapRange> merged;
    for (const BootstrapRange& range : ranges_) {
      if (merged.empty() || merged.back().job_id != range.job_id ||
          range.first > std::uint64_t{merged.back().last} + 1) {
        merged.push_back(range);
      } else {
        merged.back().last = std::max(merged.back().last, range.last);
      }
    }
    return merged;
  }

 private:
  std::vector<BootstrapRange> ranges_{};
};

}  // namespace assay::restore
