// Purpose: an ordered map that several threads may write at once, made of ordered maps that allow
// only one.
//
//   RangeShards<std::map<Key, Value>> map(threads);
//   map.insert(key, value);
//   map.scan(from, 10, [](const Key& key, const Value& value) { ... });
//
// The keys are cut into ranges; each has its own map and lock, and is cut in two when it has
// grown. Ranges are never merged, and each knows its end and its right neighbour. So a thread that
// found its range in an outdated directory goes on to the right (as in B-link trees, Lehman and
// Yao), and finding the range takes no lock.
//
// Thread safety: every function, from any thread. A scan sees each record whole and in order, but
// is no snapshot over several ranges. Cost: a search among the ranges and one lock, about 40 ns;
// with one thread there is one range and no lock. Cutting a range moves half of its records, which
// takes some milliseconds at worst.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <utility>
#include <vector>

namespace assay::index {

template <class Map>
class RangeShards {
 public:
  using Key = typename Map::key_type;
  using Value = typename Map::mapped_type;

  explicit RangeShards(std::size_t threads) : parallel_(threads > 1) {
    shards_.push_back(std::make_unique<Shard>());
    publish({{}, {shards_.front().get()}});
  }

  template <class Read>
  bool find(const Key& key, Read read) {
    const auto [shard, lock] = hold<Reading>(key);
    const auto found = shard->map.find(key);
    if (found == shard->map.end()) return false;
    read(found->second);
    return true;
  }

  bool insert(const Key& key, Value value) {
    const auto [shard, lock] = hold<Writing>(key);
    const bool is_new = shard->map.try_emplace(key, std::move(value)).second;
    if (parallel_ && shard->map.size() > most_in_a_range()) split_range(*shard);
    return is_new;
  }

  bool update(const Key& key, Value value) {
    const auto [shard, lock] = hold<Writing>(key);
    const auto found = shard->map.find(key);
    if (found == shard->map.end()) return false;
    found->second = std::move(value);
    return true;
  }

  bool remove(const Key& key) {
    const auto [shard, lock] = hold<Writing>(key);
    return shard->map.erase(key) == 1;
  }

  /// Calls `take` for up to `most` records in order, from the first key not less than `from`;
  /// returns how many.
  template <class Take>
  int scan(const Key& from, int most, Take take) {
    auto [shard, lock] = hold<Reading>(from);
    auto at = shard->map.lower_bound(from);
    int taken = 0;
    while (taken < most) {
      if (at != shard->map.end()) {
        take(at->first, at->second);
        ++at;
        ++taken;
      } else if (shard->next != nullptr) {
        shard = shard->next;
        lock = locked<Reading>(*shard);
        at = shard->map.begin();
      } else {
        break;
      }
    }
    return taken;
  }

  [[nodiscard]] std::size_t ranges() const { return directory_.load()->shards.size(); }

 private:
  using Reading = std::shared_lock<std::shared_mutex>;
  using Writing = std::unique_lock<std::shared_mutex>;

  struct Shard {
    std::shared_mutex mutex{};
    Map map{};
    std::optional<Key> end{};  // where the next range begins; empty in the last range
    Shard* next{nullptr};
  };

  struct Directory {
    std::vector<Key> begins;  // the first key of every shard but the first
    std::vector<Shard*> shards;
  };

  template <class Lock>
  Lock locked(Shard& shard) {
    return parallel_ ? Lock(shard.mutex) : Lock();
  }

  template <class Lock>
  std::pair<Shard*, Lock> hold(const Key& key) {
    Shard* shard = place(*directory_.load(std::memory_order_acquire), key);
    Lock lock = locked<Lock>(*shard);
    while (shard->end && !(key < *shard->end)) {
      shard = shard->next;
      lock = locked<Lock>(*shard);
    }
    return {shard, std::move(lock)};
  }

  static Shard* place(const Directory& directory, const Key& key) {
    const auto& begins = directory.begins;
    const auto after = std::upper_bound(begins.begin(), begins.end(), key);
    return directory.shards[static_cast<std::size_t>(after - begins.begin())];
  }

  /// How large a range may grow before it is cut. It grows with the number of ranges, so that 100
  /// million records have only some 600 of them.
  [[nodiscard]] std::size_t most_in_a_range() const { return 16'384 * (1 + ranges() / 64); }

  void split_range(Shard& left) {
    auto right = std::make_unique<Shard>();
    const auto middle =
        std::next(left.map.begin(), static_cast<std::ptrdiff_t>(left.map.size() / 2));
    const Key begin = middle->first;
    for (auto at = middle; at != left.map.end(); ++at) {
      right->map.emplace_hint(right->map.end(), at->first, std::move(at->second));
    }
    left.map.erase(middle, left.map.end());
    right->end = std::exchange(left.end, begin);
    right->next = std::exchange(left.next, right.get());
    add_to_directory(begin, std::move(right));
  }

  void add_to_directory(const Key& begin, std::unique_ptr<Shard> shard) {
    const std::lock_guard one_at_a_time(growing_);
    Directory grown = *directory_.load(std::memory_order_relaxed);
    const auto place = std::upper_bound(grown.begins.begin(), grown.begins.end(), begin);
    const auto index = place - grown.begins.begin();
    grown.begins.insert(place, begin);
    grown.shards.insert(grown.shards.begin() + index + 1, shard.get());
    shards_.push_back(std::move(shard));
    publish(std::move(grown));
  }

  /// Makes this the current directory. Old ones are kept, because a thread may be searching one;
  /// all together take a few MB.
  void publish(Directory directory) {
    directories_.push_back(std::make_unique<const Directory>(std::move(directory)));
    directory_.store(directories_.back().get(), std::memory_order_release);
  }

  const bool parallel_;
  std::atomic<const Directory*> directory_{nullptr};
  std::mutex growing_;
  std::vector<std::unique_ptr<Shard>> shards_;
  std::vector<std::unique_ptr<const Directory>> directories_;
};

}  // namespace assay::index
