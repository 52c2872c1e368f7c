// Purpose: inserts the records before a run, and checks whether they are there: before and after.
//
//   load(run);
//   verify_loaded(run);          // before
//   verify_held(run, expected);  // after, with --verify
//
// All threads take part, each with a range of records of its own. What is wrong goes to the
// results. Thread safety: one call at a time. Cost: outside of what is measured.
#pragma once

#include <assay/index/check/expected_records.hpp>
#include <assay/index/options/options.hpp>
#include <assay/index/run/shared_results.hpp>
#include <assay/index/tree_api.hpp>
#include <assay/index/workload/key_maker.hpp>

#include <cstdint>

namespace assay::index {

/// References that every part of a run needs: options, keys, tree and results.
struct RunContext {
  const Options& options;
  const KeyMaker& keys;
  tree_api& tree;
  const SharedResults& results;

  [[nodiscard]] ThreadPartition place(std::uint32_t thread) const {
    return {.records = options.records, .thread = thread, .threads = options.threads};
  }
};

void load(const RunContext& run);

/// Fails the run unless every loaded key is found, with --verify also with its value.
void verify_loaded(const RunContext& run);

/// Fails the run unless each record is there, or absent, as `expected` says. If the mix has scans,
/// and keys and values have one size, scans over the whole structure must find the same number of
/// records.
void verify_held(const RunContext& run, const ExpectedRecords& expected);

}  // namespace assay::index
