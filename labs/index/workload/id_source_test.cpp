#include <assay/index/workload/id_source.hpp>

#include <assay/index/workload/chi_square.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace assay::index {
namespace {

std::vector<std::uint64_t> drawn(const Access& access, const ThreadPartition& place,
                                 std::size_t count, std::uint64_t inserted = 0,
                                 std::uint64_t seed = 1729) {
  std::vector<std::uint64_t> ids(count);
  const auto source = make_id_source(access, place, seed);
  for (std::size_t at = 0; at < count; at += 256) {
    source->draw({ids.data() + at, std::min<std::size_t>(256, count - at)}, inserted);
  }
  return ids;
}

std::vector<std::uint64_t> counts(const std::vector<std::uint64_t>& ids, std::uint64_t records) {
  std::vector<std::uint64_t> counts(records);
  for (const std::uint64_t id : ids) ++counts.at(id);
  return counts;
}

constexpr ThreadPartition alone{.records = 1000, .thread = 0, .threads = 1};

TEST(IdSource, UniformIsUniform) {
  const auto seen = counts(drawn({}, alone, 300'000), 1000);
  EXPECT_TRUE(chi_square(seen, std::vector<double>(1000, 1e-3)).fits());
}

TEST(IdSource, UniformReachesTheFirstAndTheLast) {
  const auto ids = drawn({}, {.records = 3, .thread = 0, .threads = 1}, 100);
  EXPECT_EQ(*std::min_element(ids.begin(), ids.end()), 0U);
  EXPECT_EQ(*std::max_element(ids.begin(), ids.end()), 2U);
}

TEST(IdSource, HotspotGivesTheHotTheirShare) {
  const Access access{.distribution = Distribution::hotspot, .skew = 0.1, .hot_share = 0.75};
  std::vector<double> probabilities(1000, 0.25 / 900);
  std::fill_n(probabilities.begin(), 100, 0.75 / 100);
  EXPECT_TRUE(chi_square(counts(drawn(access, alone, 300'000), 1000), probabilities).fits());
}

TEST(IdSource, HotspotOfEverythingIsUniform) {
  const Access access{.distribution = Distribution::hotspot, .skew = 1, .hot_share = 0.5};
  const auto seen = counts(drawn(access, alone, 300'000), 1000);
  EXPECT_TRUE(chi_square(seen, std::vector<double>(1000, 1e-3)).fits());
}

TEST(IdSource, ZipfianAndSelfSimilarAreThoseOfTheSampler) {
  std::vector<double> weights;
  for (int rank = 1; rank <= 1000; ++rank) weights.push_back(std::pow(rank, -0.99));
  const Access zipfian{.distribution = Distribution::zipfian, .skew = 0.99, .hot_share = 0};
  EXPECT_TRUE(chi_square(counts(drawn(zipfian, alone, 300'000), 1000), normalised(weights)).fits());
  const Access similar{.distribution = Distribution::self_similar, .skew = 0.2, .hot_share = 0};
  const auto seen = counts(drawn(similar, alone, 300'000), 1000);
  std::uint64_t first_fifth = 0;
  for (std::size_t i = 0; i < 200; ++i) first_fifth += seen[i];
  EXPECT_NEAR(static_cast<double>(first_fifth) / 300'000, 0.8, 0.004);
}

TEST(IdSource, LatestPrefersWhatItsThreadInsertedLast) {
  const Access access{.distribution = Distribution::latest, .skew = 0.99, .hot_share = 0};
  const ThreadPartition second{.records = 1000, .thread = 1, .threads = 3};
  std::vector<std::uint64_t> by_age(1000);
  constexpr std::uint64_t inserted = 40;
  for (const std::uint64_t id : drawn(access, second, 300'000, inserted)) {
    if (id >= 1000) {
      ASSERT_EQ((id - 1000) % 3, 1U) << "another thread's";
      ++by_age.at(inserted - 1 - (id - 1000) / 3);
    } else {
      ++by_age.at(inserted + 999 - id);
    }
  }
  std::vector<double> weights;
  for (int age = 1; age <= 1000; ++age) weights.push_back(std::pow(age, -0.99));
  EXPECT_TRUE(chi_square(by_age, normalised(weights)).fits());
}

TEST(IdSource, SequentialGoesRoundFromItsOwnPlace) {
  const Access access{.distribution = Distribution::sequential, .skew = 0, .hot_share = 0};
  const ThreadPartition second{.records = 10, .thread = 1, .threads = 2};
  const std::vector<std::uint64_t> expected{5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6};
  EXPECT_EQ(drawn(access, second, 12), expected);
}

TEST(IdSource, SameSeedSameIdsOtherSeedOthers) {
  for (const auto distribution :
       {Distribution::uniform, Distribution::zipfian, Distribution::self_similar,
        Distribution::latest, Distribution::hotspot}) {
    const Access access{.distribution = distribution, .skew = 0.2, .hot_share = 0.8};
    const ThreadPartition place{.records = 100'000, .thread = 0, .threads = 1};
    EXPECT_EQ(drawn(access, place, 1000, 0, 1), drawn(access, place, 1000, 0, 1));
    EXPECT_NE(drawn(access, place, 1000, 0, 1), drawn(access, place, 1000, 0, 2));
  }
}

TEST(ThreadPartition, NoTwoThreadsInsertOneId) {
  std::vector<std::uint64_t> ids;
  for (std::uint32_t thread = 0; thread < 8; ++thread) {
    for (std::uint64_t nth = 0; nth < 100; ++nth) {
      ids.push_back(
          ThreadPartition{.records = 50, .thread = thread, .threads = 8}.inserted_id(nth));
    }
  }
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
  EXPECT_GE(ids.front(), 50U) << "a loaded one";
}

}  // namespace
}  // namespace assay::index
