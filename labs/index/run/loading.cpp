#include <assay/index/run/loading.hpp>

#include <assay/index/check/scan_check.hpp>
#include <assay/index/run/worker_threads.hpp>
#include <assay/index/workload/value_maker.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <system_error>

namespace assay::index {
namespace {

constexpr std::uint64_t full_bytes = 1U << 20U;  // a disk with less free space counts as full

Body body_of(const Options& options) {
  return options.verify ? Body::whole : Body::noise;
}

/// Whether the pool's disk is full. Asked after a failure: on a full disk a pool fails in many ways
/// that are not the plug-in's fault.
bool disk_is_full(const Options& options) {
  if (options.pool.path.empty()) return false;
  const std::filesystem::path path = options.pool.path;
  std::error_code failed;
  const auto space =
      std::filesystem::space(path.has_parent_path() ? path.parent_path() : ".", failed);
  return !failed && space.available < full_bytes;
}

void fail(const RunContext& run, const std::string& why, std::uint64_t id) {
  run.results.main().fail(Fault::plugin, why + " (record " + std::to_string(id) + ")");
}

void fail_to_load(const RunContext& run, std::uint64_t id) {
  if (disk_is_full(run.options)) {
    return run.results.main().fail(
        Fault::input, "--pool_path: the disk is full (" + std::to_string(id) + " records loaded)");
  }
  const bool has_pool = run.options.pool.size_bytes > 0;
  fail(run,
       std::string("insert failed while loading") + (has_pool ? ": is --pool_size too small?" : ""),
       id);
}

/// Calls `visit(id, index in the block)` for each id in [first, end), after writing its key to the
/// block, until `visit` returns false or the run stops.
template <class Visit>
void each_key(const RunContext& run, KeyBlock& block, std::uint64_t first, std::uint64_t end,
              const Visit& visit) {
  std::array<std::uint64_t, KeyBlock::most> ids{};
  while (first < end && !run.results.main().stop.load(std::memory_order_relaxed)) {
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(end - first, block.capacity()));
    for (std::size_t i = 0; i < count; ++i) ids[i] = first + i;
    block.write({ids.data(), count});
    for (std::size_t i = 0; i < count; ++i) {
      if (!visit(ids[i], i)) return;
    }
    first += count;
  }
}

struct Stretch {
  std::uint64_t first;
  std::uint64_t end;
};

Stretch stretch_of(std::uint64_t records, std::uint32_t thread, std::uint32_t threads) {
  const auto cut = [&](std::uint64_t at) {
    return static_cast<std::uint64_t>(Wide{records} * at / threads);
  };
  return {.first = cut(thread), .end = cut(thread + 1)};
}

void load_part(const RunContext& run, std::uint32_t thread) {
  const Stretch stretch = stretch_of(run.options.records, thread, run.options.threads);
  KeyBlock block(run.keys);
  ValueMaker values(run.options.value, run.options.seed, body_of(run.options));
  ThreadCounters& mine = run.results.thread(thread);
  each_key(run, block, stretch.first, stretch.end, [&](std::uint64_t id, std::size_t at) {
    const auto value = values.make(id, 0);
    if (!run.tree.insert(block.key(at), block.size(at), value.data(), value.size())) {
      fail_to_load(run, id);
      return false;
    }
    add(mine.loaded, 1);
    return true;
  });
}

/// Looks up one thread's part of the records, and fails the run at the first wrong one.
class Inspector {
 public:
  Inspector(const RunContext& run, std::uint32_t thread)
      : run_(run),
        place_(run.place(thread)),
        block_(run.keys),
        values_(run.options.value, run.options.seed, body_of(run.options)),
        out_(values_.buffer_bytes()) {}

  void check_loaded() {
    const Stretch stretch = stretch_of(place_.records, place_.thread, place_.threads);
    each_key(run_, block_, stretch.first, stretch.end,
             [&](std::uint64_t id, std::size_t at) { return check_record(id, at, true, nullptr); });
  }

  void check_held(const ExpectedRecords& expected) {
    const Stretch stretch = stretch_of(place_.records, place_.thread, place_.threads);
    const auto look = [&](std::uint64_t id, std::size_t at) {
      return check_record(id, at, expected.holds(place_, id), &expected);
    };
    each_key(run_, block_, stretch.first, stretch.end, look);
    std::array<std::uint64_t, 1> id{};
    for (std::uint64_t nth = 0; nth < expected.inserts_of(place_.thread); ++nth) {
      id[0] = place_.inserted_id(nth);
      block_.write(id);
      if (!look(id[0], 0)) return;
    }
  }

 private:
  bool check_record(std::uint64_t id, std::size_t at, bool should_be,
                    const ExpectedRecords* expected) {
    add(run_.results.thread(place_.thread).prepared, 1);
    const bool is_there = run_.tree.find(block_.key(at), block_.size(at), out_.data());
    if (is_there != should_be) {
      fail(run_,
           should_be ? "a key that was written is not found"
                     : "a key that was removed, or never inserted, is found",
           id);
      return false;
    }
    if (!is_there || !run_.options.verify) return true;
    if (!values_.is_whole(id, out_.data())) {
      fail(run_, "a key has another value than was written to it", id);
      return false;
    }
    const auto version = values_.version_of(out_.data());
    if (expected == nullptr || !version || expected->may_be_last(place_, id, *version)) return true;
    fail(run_, "a key has an older value than was written last", id);
    return false;
  }

  const RunContext& run_;
  ThreadPartition place_;
  KeyBlock block_;
  ValueMaker values_;
  std::vector<char> out_;
};

/// Scans the whole structure, 1000 records at a time. Each scan begins at the last key of the one
/// before, so its first record is not counted again.
class ScanThrough {
 public:
  explicit ScanThrough(const RunContext& run)
      : run_(run),
        values_(run.options.value, run.options.seed, body_of(run.options)),
        check_(run.keys, values_, run.options.value.size, run.results.main().scan_orders) {}

  /// Fails the run unless scans find `held` records. A structure that takes keys for signed numbers
  /// has another lowest key, and only scans show which order it has; so each possible order is
  /// tried.
  void check_record_count(std::uint64_t held) {
    met_ = count_from_lowest(every_scan_order);
    ScanOrders orders = run_.results.main().scan_orders.load();
    for (; met_ != held && orders != 0 && !is_over(); orders = without_first(orders)) {
      met_ = count_from_lowest(orders);
    }
    if (met_ != held && !is_over()) fail(held);
  }

 private:
  static constexpr int at_once = 1000;

  [[nodiscard]] bool is_over() const { return run_.results.main().stop.load(); }

  /// How many records scans find from the lowest key of `orders` to the end.
  std::uint64_t count_from_lowest(ScanOrders orders) {
    const std::size_t record_bytes = run_.keys.bytes() + run_.options.value.size;
    std::string key = lowest_key(orders, run_.keys.prefix(), run_.options.key.size);
    std::uint64_t met = 0;
    for (bool is_first = true; !is_over(); is_first = false) {
      char* records = nullptr;
      const auto given = scan(key, records);
      if (!given) return met;
      const bool repeats = !is_first && *given > 0 && std::equal(key.begin(), key.end(), records);
      met += static_cast<std::uint64_t>(*given) - (repeats ? 1 : 0);
      add(run_.results.thread(0).prepared, 1);
      last_ = "the last from key " + check_.text_of(key.data()) + " gave " +
              std::to_string(*given) + " of " + std::to_string(at_once);
      if (*given < at_once) break;
      key.assign(records + static_cast<std::size_t>(*given - 1) * record_bytes, key.size());
    }
    return met;
  }

  std::optional<int> scan(const std::string& key, char*& records) {
    const ScanCheck::ScanRequest request{.start = key.data(), .records = at_once};
    const int given = run_.tree.scan(key.data(), key.size(), at_once, records);
    auto lie = ScanCheck::wrong_count(request, given);
    if (!lie && given > 0 && records == nullptr) lie = "scan gave no records";
    if (!lie) lie = check_.wrong_order(request, records, given);
    if (!lie) return given;
    run_.results.main().fail(Fault::plugin, *lie + " (a scan of everything)");
    return std::nullopt;
  }

  void fail(std::uint64_t held) {
    run_.results.main().fail(Fault::plugin, "scans meet " + std::to_string(met_) + " records, " +
                                                std::to_string(held) + " are there: " + last_);
  }

  const RunContext& run_;
  ValueMaker values_;
  ScanCheck check_;
  std::uint64_t met_{0};
  std::string last_{};  // what the last scan gave, for a message
};

}  // namespace

void load(const RunContext& run) {
  run_team(run.options.threads, run.results.main(),
           [&](std::uint32_t thread) { load_part(run, thread); });
}

void verify_loaded(const RunContext& run) {
  run_team(run.options.threads, run.results.main(),
           [&](std::uint32_t thread) { Inspector(run, thread).check_loaded(); });
}

void verify_held(const RunContext& run, const ExpectedRecords& expected) {
  run_team(run.options.threads, run.results.main(),
           [&](std::uint32_t thread) { Inspector(run, thread).check_held(expected); });
  const bool are_parsed = run.options.value.spread == Spread::fixed && run.keys.file() == nullptr;
  if (run.options.has(Operation::scan) && are_parsed && !run.results.main().stop.load()) {
    run_team(1, run.results.main(), [&](std::uint32_t /*thread*/) {
      ScanThrough(run).check_record_count(expected.held());
    });
  }
}

}  // namespace assay::index
