#include <assay/base/random.hpp>
#include <assay/index/plugins/common/range_shards.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <thread>
#include <vector>

namespace {

using Shards = assay::index::RangeShards<std::map<std::uint64_t, std::uint64_t>>;

constexpr std::uint64_t many = 60'000;

std::vector<std::uint64_t> all_keys(Shards& shards) {
  std::vector<std::uint64_t> keys;
  shards.scan(0, 1'000'000, [&](std::uint64_t key, std::uint64_t) { keys.push_back(key); });
  return keys;
}

TEST(RangeShards, OneThreadKeepsOneRange) {
  Shards shards(1);
  for (std::uint64_t key = 0; key < many; ++key) EXPECT_TRUE(shards.insert(key, key));
  EXPECT_EQ(shards.ranges(), 1U);
}

TEST(RangeShards, ARangeThatHasGrownIsCutAndNothingIsLost) {
  Shards shards(2);
  assay::Random random(1);
  std::map<std::uint64_t, std::uint64_t> model;
  while (model.size() < many) {
    const std::uint64_t key = random();
    EXPECT_EQ(shards.insert(key, key + 1), model.emplace(key, key + 1).second);
  }
  EXPECT_GT(shards.ranges(), 3U);
  std::vector<std::uint64_t> wanted;
  for (const auto& [key, value] : model) {
    wanted.push_back(key);
    EXPECT_TRUE(
        shards.find(key, [&, held = value](std::uint64_t found) { EXPECT_EQ(found, held); }));
  }
  EXPECT_EQ(all_keys(shards), wanted);
}

TEST(RangeShards, ThreadsInsertWhileRangesAreCut) {
  Shards shards(4);
  std::vector<std::thread> threads;
  for (std::uint64_t first = 0; first < 4; ++first) {
    threads.emplace_back([&shards, first] {
      for (std::uint64_t key = first; key < many; key += 4) {
        EXPECT_TRUE(shards.insert(key, key));
        EXPECT_TRUE(shards.find(key, [](std::uint64_t) {}));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(shards.ranges(), 3U);
  const auto keys = all_keys(shards);
  ASSERT_EQ(keys.size(), many);
  for (std::uint64_t key = 0; key < many; ++key) EXPECT_EQ(keys[key], key);
}

TEST(RangeShards, AScanEndsWhereItWasToldAcrossRanges) {
  Shards shards(2);
  for (std::uint64_t key = 0; key < many; ++key) shards.insert(key, key);
  std::uint64_t next = 100;
  const int taken =
      shards.scan(100, 50'000, [&](std::uint64_t key, std::uint64_t) { EXPECT_EQ(key, next++); });
  EXPECT_EQ(taken, 50'000);
}

}  // namespace
