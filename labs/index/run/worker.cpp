#include <assay/index/run/worker.hpp>

#include <assay/base/units.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>

namespace assay::index {
namespace {

// Without --verify, one scan in so many is checked, after the first ones.
constexpr std::uint64_t one_scan_in = 64;
constexpr std::uint64_t first_scans = 16;
// A thread that waits checks this often whether the run ended.
constexpr std::int64_t nap_ns = 20 * ns_per_ms;

enum Use : std::uint32_t { mix_use, ids_use, values_use, scans_use, gaps_use, arrivals_use, uses };

constexpr bool writes(Operation kind) {
  return kind == Operation::insert || kind == Operation::update ||
         kind == Operation::read_modify_write;
}

LatencyClock latency_clock_of(const SharedResults& results, std::uint32_t thread) {
  LatencyClock clocked;
  clocked.is_shared = results.shares_histograms();
  for (const Operation kind : all_operations) {
    clocked.histograms[kind] = results.histogram(thread, kind);
  }
  return clocked;
}

}  // namespace

std::uint64_t seed_for(std::uint64_t seed, std::uint32_t thread, std::uint32_t use) {
  SplitMix mix(seed);
  return SplitMix(mix.next() ^ (std::uint64_t{thread} * uses + use)).next();
}

Worker::Worker(const WorkerSetup& setup)
    : options_(setup.options),
      keys_(setup.keys),
      tree_(setup.tree),
      results_(setup.results),
      place_(setup.place),
      expected_(setup.expected),
      has_checks_(setup.expected != nullptr || setup.options.has(Operation::scan)),
      has_inserts_(setup.options.has(Operation::insert)),
      has_only_reads_(setup.options.ratios[Operation::read] == 1 && setup.expected == nullptr &&
                      setup.keys.has_one_length()),
      mix_(options_.ratios, seed_for(options_.seed, place_.thread, mix_use)),
      ids_source_(
          make_id_source(options_.access, place_, seed_for(options_.seed, place_.thread, ids_use))),
      block_(keys_),
      values_(options_.value, options_.seed, expected_ != nullptr ? Body::whole : Body::noise),
      scan_check_(keys_, values_, options_.value.size, results_.main().scan_orders),
      scan_sizes_(seed_for(options_.seed, place_.thread, scans_use)),
      value_out_(values_.buffer_bytes()) {
  mix_.draw(kinds_);  // if there is only one kind, this is the only draw
}

void Worker::run(std::uint64_t operations) {
  const LatencyClock clocked = latency_clock_of(results_, place_.thread);
  const SamplingGaps gaps(options_.latency_sampling,
                          seed_for(options_.seed, place_.thread, gaps_use));
  try {
    if (options_.open_loop.rate > 0) {
      run_all(operations, Paced(clocked, gaps, pacer(), results_.main().stop));
    } else if (options_.latency_sampling <= 0) {
      run_all(operations, Untimed());
    } else if (options_.latency_sampling >= 1) {
      run_all(operations, Timed{clocked});
    } else {
      run_all(operations, Sampled(clocked, gaps));
    }
  } catch (const std::exception& exception) {
    results_.main().fail_by_exception(exception.what());
  } catch (...) {
    results_.main().fail_by_exception("something that is no std::exception");
  }
}

template <class Timing>
void Worker::run_all(std::uint64_t operations, Timing timing) {
  while (operations > 0 && !results_.main().stop.load(std::memory_order_relaxed)) {
    const std::size_t count = draw(operations);
    has_only_reads_ ? run_reads(count, timing) : run_block(count, timing);
    operations -= count;
  }
}

std::size_t Worker::draw(std::uint64_t left) {
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left, block_.capacity()));
  const std::span ids(ids_.data(), count);
  if (!mix_.only_kind()) mix_.draw({kinds_.data(), count});
  ids_source_->draw(ids, inserted_);
  if (has_inserts_ && !place_inserts(ids)) return 0;
  block_.write(ids);
  return count;
}

bool Worker::place_inserts(std::span<std::uint64_t> ids) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (kinds_[i] == Operation::insert) ids[i] = place_.inserted_id(inserted_++);
  }
  if (place_.inserted_id(inserted_) - place_.threads < keys_.count() || inserted_ == 0) return true;
  results_.main().fail(Fault::input,
                       keys_.file() != nullptr
                           ? "--key_file: no keys are left to insert (give more lines)"
                           : "--key_size: no keys are left to insert (make keys longer)");
  return false;
}

template <class Timing>
void Worker::run_block(std::size_t count, Timing& timing) {
  ThreadCounters& mine = results_.thread(place_.thread);
  const std::atomic<bool>& stop = results_.main().stop;
  for (std::size_t i = 0; i < count; ++i) {
    if (stop.load(std::memory_order_relaxed) || !timing.may_begin()) return;
    const Operation kind = kinds_[i];
    const Prepared prepared = prepare(kind, i);
    const bool succeeded = timing.around(kind, [&] { return operate(kind, i, prepared); });
    Tally& tally = mine.tallies[kind];
    add(tally.completed, 1);
    add(tally.succeeded, succeeded ? 1 : 0);
    if (has_checks_) check(kind, i, prepared, succeeded);
  }
}

/// run_block() for a mix of reads alone, with all that the loop needs in registers.
template <class Timing>
void Worker::run_reads(std::size_t count, Timing& timing) {
  Tally& tally = results_.thread(place_.thread).tallies[Operation::read];
  const std::atomic<bool>& stop = results_.main().stop;
  tree_api& tree = tree_;
  char* const out = value_out_.data();
  const std::size_t size = keys_.bytes();
  const std::size_t stride = block_.stride();
  const char* const end = block_.key(count);
  std::uint64_t completed = tally.completed.load(std::memory_order_relaxed);
  std::uint64_t succeeded = tally.succeeded.load(std::memory_order_relaxed);
  for (const char* key = block_.key(0); key != end; key += stride) {
    if (stop.load(std::memory_order_relaxed) || !timing.may_begin()) return;
    const auto find = [&] { return tree.find(key, size, out); };
    if (timing.around(Operation::read, find)) ++succeeded;
    tally.completed.store(++completed, std::memory_order_relaxed);
    tally.succeeded.store(succeeded, std::memory_order_relaxed);
  }
}

inline Worker::Prepared Worker::prepare(Operation kind, std::size_t at) {
  if (kind == Operation::read) [[likely]]
    return {};
  Prepared prepared;
  if (writes(kind)) {
    prepared.version = version_by(place_, written_++);
    prepared.value = values_.make(ids_[at], prepared.version);
  } else if (kind == Operation::scan) {
    const std::uint32_t most = options_.scans.size;
    const bool is_fixed = options_.scans.spread == Spread::fixed;
    prepared.scan_size =
        static_cast<int>(is_fixed ? most : 1 + share_of(scan_sizes_.next(), most).index);
  }
  return prepared;
}

inline bool Worker::operate(Operation kind, std::size_t at, const Prepared& prepared) {
  const char* const key = block_.key(at);
  const std::size_t size = block_.size(at);
  const auto value = prepared.value;
  switch (kind) {
    case Operation::read:
      return tree_.find(key, size, value_out_.data());
    case Operation::insert:
      return tree_.insert(key, size, value.data(), value.size());
    case Operation::update:
      return tree_.update(key, size, value.data(), value.size());
    case Operation::remove:
      return tree_.remove(key, size);
    case Operation::scan:
      scanned_.records = nullptr;
      scanned_.count = tree_.scan(key, size, prepared.scan_size, scanned_.records);
      return scanned_.count > 0;
    case Operation::read_modify_write:
      return tree_.find(key, size, value_out_.data()) &&
             tree_.update(key, size, value.data(), value.size());
  }
  return false;
}

void Worker::check(Operation kind, std::size_t at, const Prepared& prepared, bool succeeded) {
  if (kind == Operation::scan) return check_scan(at, prepared);
  if (expected_ != nullptr) check_result(kind, ids_[at], prepared, succeeded);
}

void Worker::check_scan(std::size_t at, const Prepared& prepared) {
  const ScanCheck::ScanRequest asked{.start = block_.key(at), .records = prepared.scan_size};
  if (auto lie = ScanCheck::wrong_count(asked, scanned_.count)) return fail(*lie, ids_[at]);
  const bool is_looked_at =
      expected_ != nullptr ||
      (options_.scans.checked && (scans_ < first_scans || scans_ % one_scan_in == 0));
  ++scans_;
  if (!is_looked_at) return;
  if (expected_ != nullptr && scanned_.count == 0 && expected_->is_certain(ids_[at]) &&
      expected_->holds(place_, ids_[at])) {
    return fail("scan found nothing from a key that is there", ids_[at]);
  }
  const bool are_parsed = keys_.has_one_length() && options_.value.spread == Spread::fixed;
  if (scanned_.records == nullptr) {
    if (expected_ != nullptr && scanned_.count > 0) fail("scan gave no records", ids_[at]);
    return;
  }
  if (!are_parsed) return;
  if (auto lie = scan_check_.wrong_order(asked, scanned_.records, scanned_.count)) {
    return fail(*lie, ids_[at]);
  }
  if (expected_ != nullptr && keys_.file() == nullptr) check_scanned_values();
}

void Worker::check_scanned_values() {
  for (int i = 0; i < scanned_.count; ++i) {
    const char* const key =
        scanned_.records + static_cast<std::size_t>(i) * (keys_.bytes() + options_.value.size);
    const std::uint64_t id = keys_.id_of(key);
    if (!values_.is_whole(id, key + keys_.bytes())) {
      return fail("scan gave a value that is not its key's", id);
    }
  }
}

void Worker::check_result(Operation kind, std::uint64_t id, const Prepared& prepared,
                          bool succeeded) {
  const bool is_certain = kind != Operation::insert && expected_->is_certain(id);
  if (is_certain && succeeded != expected_->holds(place_, id)) {
    return fail(std::string(name_of(kind)) + (succeeded ? " succeeded on a key that is not there"
                                                        : " failed on a key that is there"),
                id);
  }
  if (kind == Operation::insert) expected_->note_insert(place_, id, succeeded);
  if (!succeeded) return;
  if (kind == Operation::remove && !expected_->note_remove(place_, id)) {
    return fail("remove succeeded twice on one key", id);
  }
  if (kind == Operation::read || kind == Operation::read_modify_write) check_value(id);
  if (writes(kind)) expected_->note_write(place_, id, prepared.version);
}

void Worker::check_value(std::uint64_t id) {
  if (!values_.is_of(id, value_out_.data())) return fail("find gave another key's value", id);
  if (!values_.is_whole(id, value_out_.data())) return fail("find gave a torn value", id);
}

void Worker::fail(const std::string& why, std::uint64_t id) {
  results_.main().fail(Fault::plugin, why + " (record " + std::to_string(id) + ")");
}

/// The thread's pacer. At a fixed rate the threads' operations are evenly spaced, not all due at
/// once.
Pacer Worker::pacer() {
  const double interval_ns =
      ns_per_s * static_cast<double>(place_.threads) / options_.open_loop.rate;
  const auto offset_ns = static_cast<std::int64_t>(interval_ns * place_.thread / place_.threads);
  const PaceClock host = pace_clock_of_this_host();
  ThreadCounters& mine = results_.thread(place_.thread);
  const std::atomic<bool>& stop = results_.main().stop;
  PaceClock clock{.now_ns = [host, offset_ns] { return host.now_ns() + offset_ns; },
                  .wait_until_ns =
                      [host, &mine, &stop](std::int64_t until_ns) {
                        while (until_ns - host.now_ns() > 2 * nap_ns && !stop.load()) {
                          std::this_thread::sleep_for(std::chrono::nanoseconds(nap_ns));
                          // Shows the supervisor that a waiting thread does not hang.
                          add(mine.prepared, 1);
                        }
                        if (!stop.load()) host.wait_until_ns(until_ns);
                      }};
  return options_.open_loop.arrival == Arrival::poisson
             ? Pacer(Arrivals::poisson(interval_ns,
                                       seed_for(options_.seed, place_.thread, arrivals_use)),
                     std::move(clock))
             : Pacer(Arrivals::fixed(interval_ns), std::move(clock));
}

}  // namespace assay::index
