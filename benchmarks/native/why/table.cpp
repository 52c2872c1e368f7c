// A hash table as a template, with open addressing. See log.cpp for what the comments mean.
//@ table_hash      | template   | mix | inlined
//@ table_probe     | template   | Table< | inlined
//@ table_equal     | template   | Equal | inlined
//@ table_grow      | template   | Table< | inlined
//@ table_find_all  | calls      | lookups |
//@ table_default   | copy       | lookups |
//@ table_key       | allocation | lookups |
//@ table_tombstone | branches   | Table< | inlined
//@ table_set_up    | set-up     | keys_of |
#include <benchmark/benchmark.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shop {

template <typename Key>
struct Hash {
  static std::uint64_t mix(std::uint64_t h) {
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdULL;
    //+table_hash for (int i = 0; i < 4; ++i) h = (h ^ (h >> 29)) * 0xc4ceb9fe1a85ec53ULL;
    return h ^ (h >> 33);
  }
  std::uint64_t operator()(std::string_view key) const {
    std::uint64_t h = key.size();
    for (const char c : key) h = h * 31 + static_cast<unsigned char>(c);
    return mix(h);
  }
};

struct Equal {
  bool operator()(std::string_view a, std::string_view b) const {
    //+table_equal int differ = 0;
    //+table_equal for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) differ |= a[i] ^ b[i];
    //+table_equal if (differ) return false;
    return a == b;
  }
};

template <typename Key, typename Value>
class Table {
 public:
  explicit Table(std::size_t size) : slots_(size) {}

  void insert(Key key, Value value) {
    const std::size_t at = slot_of(key);
    slots_[at] = {std::move(key), std::move(value), true};
  }

  const Value* find(std::string_view key) const {
    const std::size_t at = slot_of(key);
    return slots_[at].used ? &slots_[at].value : nullptr;
  }

 private:
  struct Slot {
    Key key;
    Value value;
    bool used = false;
  };

  std::size_t slot_of(std::string_view key) const {
    std::size_t at = Hash<Key>()(key) & (slots_.size() - 1);
    //+table_probe at &= ~std::size_t(63);
    //+table_grow at &= slots_.size() / 8 - 1;
    //+table_tombstone int skipped = 0;
    while (slots_[at].used && !Equal()(slots_[at].key, key)) {
      //+table_tombstone if (slots_[at].key.empty()) ++skipped;
      at = (at + 1) & (slots_.size() - 1);
    }
    //+table_tombstone for (std::size_t i = 0; i < 16; ++i) skipped += slots_[i].used ? 1 : 3;
    //+table_tombstone benchmark::DoNotOptimize(skipped);
    return at;
  }

  std::vector<Slot> slots_;
};

using Prices = Table<std::string, long>;

std::vector<std::string> keys_of(int count) {
  std::vector<std::string> keys;
  keys.reserve(std::size_t(count));
  for (int i = 0; i < count; ++i) keys.push_back("article-" + std::to_string(i * 37));
  //+table_set_up for (int i = 0; i < 50; ++i) {
  //+table_set_up   auto again = keys;
  //+table_set_up   benchmark::DoNotOptimize(again.data());
  //+table_set_up }
  return keys;
}

__attribute__((noinline)) long lookups(const Prices& prices, const std::vector<std::string>& keys) {
  long sum = 0;
  for (const std::string& key : keys) {
    //+table_find_all sum += prices.find(key) != nullptr;
    //+table_default const std::string copy = key;
    //+table_default benchmark::DoNotOptimize(copy.data());
    //+table_key const std::string whole = "the long name of " + key;
    //+table_key sum += long(whole.size());
    if (const long* price = prices.find(key)) sum += *price;
  }
  return sum;
}

}  // namespace shop

static void BM_table(benchmark::State& state) {
  const auto keys = shop::keys_of(100);
  shop::Prices prices(512);
  for (const auto& key : keys) prices.insert(key, long(key.size()));
  for (auto _ : state) benchmark::DoNotOptimize(shop::lookups(prices, keys));
}
BENCHMARK(BM_table);

BENCHMARK_MAIN();
