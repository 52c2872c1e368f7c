// Purpose: counts allocations and frees, and their bytes, by the calls that led to them.
//
//   static assay::CallSites sites;
//   sites.add(assay::CallSites::allocated, stack, bytes);    // stack: return addresses
//   sites.each([](const assay::CallSites::Site& site) { print(site); });
//
// Thread safety: any number of threads may add() at once. It never waits for another thread, so a
// process that is forked meanwhile cannot hang. clear() and each() only when nobody adds.
// Cost: 12 MiB of address space, of which only what is used becomes memory. What finds no free
// place is counted in lost().
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace assay {

class CallSites {
 public:
  static constexpr std::size_t deepest = 20;  // frames of a stack that are kept, the innermost ones
  static constexpr std::size_t most = 1U << 16U;

  enum Event : std::uint8_t { allocated, freed };
  using Stack = std::span<const std::uintptr_t>;

  struct Site {
    std::atomic<std::uint64_t> key{0};  // 0: the place is free
    std::atomic<std::uint64_t> count{0};
    std::atomic<std::uint64_t> bytes{0};
    std::array<std::uintptr_t, deepest> calls{};
    std::uint8_t depth{0};
    Event event{allocated};

    [[nodiscard]] Stack stack() const noexcept { return {calls.data(), depth}; }
  };

  void add(Event event, Stack stack, std::uint64_t bytes) noexcept {
    const Stack kept = stack.first(std::min(stack.size(), deepest));
    Site& site = found(key_of(event, kept), event, kept);
    site.count.fetch_add(1, std::memory_order_relaxed);
    site.bytes.fetch_add(bytes, std::memory_order_relaxed);
  }

  /// Sets the counts to 0 and keeps the stacks, because the same calls come again.
  void clear() noexcept {
    each([](Site& site) { site.count = site.bytes = 0; });
    lost_.count = lost_.bytes = 0;
  }

  template <class Function>
  void each(Function function) noexcept {
    for (Site& site : sites_) {
      if (site.key.load(std::memory_order_relaxed) != 0) function(site);
    }
  }

  [[nodiscard]] const Site& lost() const noexcept { return lost_; }

 private:
  static constexpr std::size_t looks = 64;

  static std::uint64_t key_of(Event event, Stack stack) noexcept {
    std::uint64_t key = 0xcbf29ce484222325U ^ event;
    for (const std::uintptr_t call : stack) {
      key = (key ^ call) * 0x9e3779b97f4a7c15U;
      key ^= key >> 32U;
    }
    return key | 1U;
  }

  Site& found(std::uint64_t key, Event event, Stack stack) noexcept {
    for (std::size_t look = 0; look < looks; ++look) {
      Site& site = sites_[((key >> 1U) + look) % most];
      std::uint64_t holder = site.key.load(std::memory_order_relaxed);
      if (holder == 0 && site.key.compare_exchange_strong(holder, key)) {
        std::copy(stack.begin(), stack.end(), site.calls.begin());
        site.depth = static_cast<std::uint8_t>(stack.size());
        site.event = event;
        return site;
      }
      if (holder == key) return site;
    }
    return lost_;
  }

  std::array<Site, most> sites_{};
  Site lost_{};
};

}  // namespace assay
