// Purpose: one thread's share of a run: draws operations and records, does them, counts them.
//
//   Worker worker({options, keys, tree, results, place, expected});
//   worker.run(operations);  // or until results.main().stop
//
// Thread safety: one per thread. Cost: this is the driver's cost: 2 to 3 ns an operation with
// uniform keys, the virtual call of the plug-in included (`./dev bench index_driver`).
#pragma once

#include <assay/index/check/expected_records.hpp>
#include <assay/index/check/scan_check.hpp>
#include <assay/index/options/options.hpp>
#include <assay/index/run/operation_timing.hpp>
#include <assay/index/run/shared_results.hpp>
#include <assay/index/tree_api.hpp>
#include <assay/index/workload/id_source.hpp>
#include <assay/index/workload/key_maker.hpp>
#include <assay/index/workload/mix.hpp>
#include <assay/index/workload/value_maker.hpp>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace assay::index {

struct WorkerSetup {
  const Options& options;
  const KeyMaker& keys;
  tree_api& tree;
  const SharedResults& results;
  ThreadPartition place;
  ExpectedRecords* expected;  // nullptr: results are not checked
};

/// A seed for one of the uses of random numbers in one thread. Each thread and use gets another.
std::uint64_t seed_for(std::uint64_t seed, std::uint32_t thread, std::uint32_t use);

class Worker {
 public:
  explicit Worker(const WorkerSetup& setup);

  void run(std::uint64_t operations);

 private:
  /// What an operation needs besides its key; made before the operation is timed.
  struct Prepared {
    std::span<const char> value{};
    std::uint32_t version{0};
    int scan_size{0};
  };
  struct Scanned {
    int count{0};
    char* records{nullptr};
  };

  template <class Timing>
  void run_all(std::uint64_t operations, Timing timing);
  template <class Timing>
  void run_block(std::size_t count, Timing& timing);
  template <class Timing>
  void run_reads(std::size_t count, Timing& timing);
  std::size_t draw(std::uint64_t left);
  bool place_inserts(std::span<std::uint64_t> ids);

  Prepared prepare(Operation kind, std::size_t at);
  bool operate(Operation kind, std::size_t at, const Prepared& prepared);
  void check(Operation kind, std::size_t at, const Prepared& prepared, bool succeeded);
  void check_scan(std::size_t at, const Prepared& prepared);
  void check_result(Operation kind, std::uint64_t id, const Prepared& prepared, bool succeeded);
  void check_value(std::uint64_t id);
  void check_scanned_values();
  void fail(const std::string& why, std::uint64_t id);
  Pacer pacer();

  const Options& options_;
  const KeyMaker& keys_;
  tree_api& tree_;
  const SharedResults& results_;
  ThreadPartition place_;
  ExpectedRecords* expected_;
  bool has_checks_;  // whether check() is called after an operation
  bool has_inserts_;
  // Reads alone, unchecked, keys of one length: run_reads() does it.
  bool has_only_reads_;
  OperationMix mix_;
  std::unique_ptr<IdSource> ids_source_;
  KeyBlock block_;
  ValueMaker values_;
  ScanCheck scan_check_;
  FastRandom scan_sizes_;
  std::array<Operation, OperationMix::block> kinds_{};
  std::array<std::uint64_t, OperationMix::block> ids_{};
  std::vector<char> value_out_;
  Scanned scanned_{};
  std::uint64_t scans_{0};
  std::uint64_t inserted_{0};
  std::uint64_t written_{0};
};

}  // namespace assay::index
