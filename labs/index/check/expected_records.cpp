#include <assay/index/check/expected_records.hpp>

#include <algorithm>
#include <bit>

namespace assay::index {

ExpectedRecords::ExpectedRecords(const Options& options, std::uint64_t records)
    : records_(records),
      threads_(options.threads),
      has_removes_(options.has(Operation::remove)),
      knows_first_(!options.skip_load),
      loaded_((records + 63) / 64),
      own_(options.threads) {
  for (auto& word : loaded_) word.store(~std::uint64_t{0}, std::memory_order_relaxed);
  if (records % 64 != 0) loaded_.back().store((std::uint64_t{1} << records % 64U) - 1);
  for (ThreadRecords& own : own_) own.last.resize(records);
}

void ExpectedRecords::note_insert(const ThreadPartition& place, std::uint64_t /*id*/,
                                  bool succeeded) {
  ThreadRecords& own = own_[place.thread];
  own.held.push_back(succeeded);
  own.last_inserted.push_back(0);
}

bool ExpectedRecords::note_remove(const ThreadPartition& place, std::uint64_t id) {
  if (id >= records_) {
    const auto held = own_[place.thread].held.begin() + static_cast<std::ptrdiff_t>(nth(place, id));
    const bool was_held = *held;
    *held = false;
    return was_held;
  }
  const std::uint64_t bit = std::uint64_t{1} << id % 64U;
  return (loaded_[id / 64].fetch_and(~bit) & bit) != 0;
}

void ExpectedRecords::note_write(const ThreadPartition& place, std::uint64_t id,
                                 std::uint32_t version) {
  ThreadRecords& own = own_[place.thread];
  (id < records_ ? own.last[id] : own.last_inserted[nth(place, id)]) = version;
}

bool ExpectedRecords::holds(const ThreadPartition& place, std::uint64_t id) const {
  if (id < records_) return (loaded_[id / 64].load() >> id % 64U & 1U) != 0;
  const auto& held = own_[place.thread].held;
  const std::uint64_t at = nth(place, id);
  return at < held.size() && held[at];
}

bool ExpectedRecords::may_be_last(const ThreadPartition& place, std::uint64_t id,
                                  std::uint32_t version) const {
  if (id >= records_) return own_[place.thread].last_inserted[nth(place, id)] == version;
  const auto wrote = [&](const ThreadRecords& own) { return own.last[id] != 0; };
  const bool is_untouched = std::none_of(own_.begin(), own_.end(), wrote);
  if (is_untouched) return version == 0 || !knows_first_;
  return version != 0 && own_[writer_of(version, threads_)].last[id] == version;
}

std::uint64_t ExpectedRecords::held() const {
  std::uint64_t count = 0;
  for (const auto& word : loaded_) {
    count += static_cast<std::uint64_t>(std::popcount(word.load()));
  }
  for (const ThreadRecords& own : own_) {
    count += static_cast<std::uint64_t>(std::count(own.held.begin(), own.held.end(), true));
  }
  return count;
}

}  // namespace assay::index
