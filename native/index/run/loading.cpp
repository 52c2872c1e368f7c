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

constexpr std::uint64_t full_bytes = 1U << 20U;  // a disk with less is full

Body body_of(const Options& options) {
  return options.verify ? Body::whole : Body::noise;
}

/// A pool on a full disk fails in many ways, and is not the plug-in's fault.
bool disk_is_full(const Options& options) {
  if (options.pool.path.empty()) return false;
  const std::filesystem::path path = options.pool.path;
  std::error_code failed;
  const auto space =
      std::filesystem::space(path.has_parent_path() ? path.parent_path() : ".", failed);
  return !failed && space.available < full_bytes;
}

void fail(const Stage& stage, const std::string& why, std::uint64_t id) {
  stage.board.main().fail(Fault::plugin, why + " (record " + std::to_string(id) + ")");
}

void fail_to_load(const Stage& stage, std::uint64_t id) {
  if (disk_is_full(stage.options)) {
    return stage.board.main().fail(
        Fault::input, "--pool_path: the disk is full (" + std::to_string(id) + " records loaded)");
  }
  const bool has_pool = stage.options.pool.size_bytes > 0;
  fail(stage,
       std::string("insert failed while loading") + (has_pool ? ": is --pool_size too small?" : ""),
       id);
}

/// Calls `visit(id, at in block)` for each id of a stretch, whose keys are in the block.
template <class Visit>
void each_key(const Stage& stage, KeyBlock& block, std::uint64_t first, std::uint64_t end,
              const Visit& visit) {
  std::array<std::uint64_t, KeyBlock::most> ids{};
  while (first < end && !stage.board.main().stop.load(std::memory_order_relaxed)) {
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

void load_part(const Stage& stage, std::uint32_t thread) {
  const Stretch stretch = stretch_of(stage.options.records, thread, stage.options.threads);
  KeyBlock block(stage.keys);
  ValueMaker values(stage.options.value, stage.options.seed, body_of(stage.options));
  ThreadBoard& mine = stage.board.thread(thread);
  each_key(stage, block, stretch.first, stretch.end, [&](std::uint64_t id, std::size_t at) {
    const auto value = values.make(id, 0);
    if (!stage.tree.insert(block.key(at), block.size(at), value.data(), value.size())) {
      fail_to_load(stage, id);
      return false;
    }
    add(mine.loaded, 1);
    return true;
  });
}

/// One thread's part of looking at everything.
class Inspector {
 public:
  Inspector(const Stage& stage, std::uint32_t thread)
      : stage_(stage),
        place_(stage.place(thread)),
        block_(stage.keys),
        values_(stage.options.value, stage.options.seed, body_of(stage.options)),
        out_(values_.room()) {}

  void loaded() {
    const Stretch stretch = stretch_of(place_.records, place_.thread, place_.threads);
    each_key(stage_, block_, stretch.first, stretch.end,
             [&](std::uint64_t id, std::size_t at) { return looks(id, at, true, nullptr); });
  }

  void held(const Ledger& ledger) {
    const Stretch stretch = stretch_of(place_.records, place_.thread, place_.threads);
    const auto look = [&](std::uint64_t id, std::size_t at) {
      return looks(id, at, ledger.holds(place_, id), &ledger);
    };
    each_key(stage_, block_, stretch.first, stretch.end, look);
    std::array<std::uint64_t, 1> id{};
    for (std::uint64_t nth = 0; nth < ledger.inserts_of(place_.thread); ++nth) {
      id[0] = place_.inserted_id(nth);
      block_.write(id);
      if (!look(id[0], 0)) return;
    }
  }

 private:
  bool looks(std::uint64_t id, std::size_t at, bool should_be, const Ledger* ledger) {
    add(stage_.board.thread(place_.thread).prepared, 1);
    const bool is_there = stage_.tree.find(block_.key(at), block_.size(at), out_.data());
    if (is_there != should_be) {
      fail(stage_,
           should_be ? "a key that was written is not found"
                     : "a key that was removed, or never inserted, is found",
           id);
      return false;
    }
    if (!is_there || !stage_.options.verify) return true;
    if (!values_.is_whole(id, out_.data())) {
      fail(stage_, "a key has another value than was written to it", id);
      return false;
    }
    const auto version = values_.version_of(out_.data());
    if (ledger == nullptr || !version || ledger->may_be_last(place_, id, *version)) return true;
    fail(stage_, "a key has an older value than was written last", id);
    return false;
  }

  const Stage& stage_;
  ThreadPlace place_;
  KeyBlock block_;
  ValueMaker values_;
  std::vector<char> out_;
};

/// Scans from a lowest key to the end, one after the other. Each begins at the last key of the
/// one before, so its first record is known already.
class ScanThrough {
 public:
  explicit ScanThrough(const Stage& stage)
      : stage_(stage),
        values_(stage.options.value, stage.options.seed, body_of(stage.options)),
        check_(stage.keys, values_, stage.options.value.size, stage.board.main().scan_orders) {}

  /// Signed numbers begin elsewhere than others do, and only scans tell which the keys are.
  void meets(std::uint64_t held) {
    met_ = from(every_scan_order);
    ScanOrders orders = stage_.board.main().scan_orders.load();
    for (; met_ != held && orders != 0 && !is_over(); orders = without_first(orders)) {
      met_ = from(orders);
    }
    if (met_ != held && !is_over()) fail(held);
  }

 private:
  static constexpr int at_once = 1000;

  [[nodiscard]] bool is_over() const { return stage_.board.main().stop.load(); }

  /// How many records are met.
  std::uint64_t from(ScanOrders orders) {
    const std::size_t record_bytes = stage_.keys.bytes() + stage_.options.value.size;
    std::string key = lowest_key(orders, stage_.keys.prefix(), stage_.options.key.size);
    std::uint64_t met = 0;
    for (bool is_first = true; !is_over(); is_first = false) {
      char* records = nullptr;
      const auto given = scan(key, records);
      if (!given) return met;
      const bool repeats = !is_first && *given > 0 && std::equal(key.begin(), key.end(), records);
      met += static_cast<std::uint64_t>(*given) - (repeats ? 1 : 0);
      add(stage_.board.thread(0).prepared, 1);
      last_ = "the last from key " + check_.text_of(key.data()) + " gave " +
              std::to_string(*given) + " of " + std::to_string(at_once);
      if (*given < at_once) break;
      key.assign(records + static_cast<std::size_t>(*given - 1) * record_bytes, key.size());
    }
    return met;
  }

  std::optional<int> scan(const std::string& key, char*& records) {
    const ScanCheck::Asked request{.start = key.data(), .records = at_once};
    const int given = stage_.tree.scan(key.data(), key.size(), at_once, records);
    auto lie = ScanCheck::wrong_count(request, given);
    if (!lie && given > 0 && records == nullptr) lie = "scan gave no records";
    if (!lie) lie = check_.wrong_order(request, records, given);
    if (!lie) return given;
    stage_.board.main().fail(Fault::plugin, *lie + " (a scan of everything)");
    return std::nullopt;
  }

  void fail(std::uint64_t held) {
    stage_.board.main().fail(Fault::plugin, "scans meet " + std::to_string(met_) + " records, " +
                                                std::to_string(held) + " are there: " + last_);
  }

  const Stage& stage_;
  ValueMaker values_;
  ScanCheck check_;
  std::uint64_t met_{0};
  std::string last_{};  // what the last scan gave
};

}  // namespace

void load(const Stage& stage) {
  run_team(stage.options.threads, stage.board.main(),
           [&](std::uint32_t thread) { load_part(stage, thread); });
}

void verify_loaded(const Stage& stage) {
  run_team(stage.options.threads, stage.board.main(),
           [&](std::uint32_t thread) { Inspector(stage, thread).loaded(); });
}

void verify_held(const Stage& stage, const Ledger& ledger) {
  run_team(stage.options.threads, stage.board.main(),
           [&](std::uint32_t thread) { Inspector(stage, thread).held(ledger); });
  const bool are_parsed =
      stage.options.value.spread == Spread::fixed && stage.keys.file() == nullptr;
  if (stage.options.has(Operation::scan) && are_parsed && !stage.board.main().stop.load()) {
    run_team(1, stage.board.main(),
             [&](std::uint32_t /*thread*/) { ScanThrough(stage).meets(ledger.held()); });
  }
}

}  // namespace assay::index
