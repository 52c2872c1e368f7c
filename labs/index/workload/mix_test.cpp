#include <assay/index/workload/mix.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace assay::index {
namespace {

PerOperation<double> ratios(double read, double insert, double update, double remove, double scan,
                            double modify) {
  return {{read, insert, update, remove, scan, modify}};
}

std::vector<Operation> drawn(const PerOperation<double>& mix, std::uint64_t seed, std::size_t count,
                             std::size_t block = OperationMix::block) {
  OperationMix source(mix, seed);
  std::vector<Operation> kinds(count);
  for (std::size_t at = 0; at < count; at += block) {
    source.draw({kinds.data() + at, std::min(block, count - at)});
  }
  return kinds;
}

double share(const std::vector<Operation>& kinds, Operation kind) {
  return static_cast<double>(std::count(kinds.begin(), kinds.end(), kind)) /
         static_cast<double>(kinds.size());
}

TEST(OperationMix, IsTheMixAskedFor) {
  for (const auto& mix : {ratios(0.2, 0.2, 0.2, 0.2, 0.2, 0), ratios(0.95, 0.05, 0, 0, 0, 0),
                          ratios(0.999, 0, 0.001, 0, 0, 0), ratios(0.3, 0.1, 0.25, 0.05, 0.2, 0.1),
                          ratios(1.0 / 3, 0, 1.0 / 3, 0, 1.0 / 3, 0)}) {
    for (const std::size_t count : {std::size_t{1'000'000}, std::size_t{1001}}) {
      const auto kinds = drawn(mix, 1729, count);
      for (const Operation kind : all_operations) {
        // However many operations there are, a kind is at most two away from its exact number.
        EXPECT_LE(std::abs(share(kinds, kind) - mix[kind]) * static_cast<double>(count), 2.0)
            << name_of(kind);
      }
    }
  }
}

TEST(OperationMix, EveryBlockIsTheMixToo) {
  const auto mix = ratios(0.5, 0.1, 0.2, 0.1, 0.1, 0);
  const auto kinds = drawn(mix, 3, 256 * 40);
  for (std::size_t at = 0; at < kinds.size(); at += 256) {
    const std::vector<Operation> block(kinds.begin() + static_cast<std::ptrdiff_t>(at),
                                       kinds.begin() + static_cast<std::ptrdiff_t>(at + 256));
    for (const Operation kind : all_operations) {
      EXPECT_NEAR(share(block, kind), mix[kind], 2.5 / 256);
    }
  }
}

TEST(OperationMix, ComesInRandomOrder) {
  const auto kinds = drawn(ratios(0.5, 0, 0.5, 0, 0, 0), 1729, 256 * 1000);
  std::size_t changes = 0;
  std::vector<std::size_t> first_in_place(256);
  for (std::size_t i = 1; i < kinds.size(); ++i) changes += kinds[i] != kinds[i - 1] ? 1U : 0U;
  EXPECT_NEAR(static_cast<double>(changes) / static_cast<double>(kinds.size()), 0.5, 0.01);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    first_in_place[i % 256] += kinds[i] == Operation::read ? 1U : 0U;
  }
  // Each position in a block gets each kind equally often.
  for (const std::size_t reads : first_in_place) {
    EXPECT_GT(reads, 400U);
    EXPECT_LT(reads, 600U);
  }
}

TEST(OperationMix, DiffersByTheSeedAndByNothingElse) {
  const auto mix = ratios(0.5, 0.5, 0, 0, 0, 0);
  EXPECT_EQ(drawn(mix, 1, 4096), drawn(mix, 1, 4096));
  EXPECT_NE(drawn(mix, 1, 4096), drawn(mix, 2, 4096));
}

TEST(OperationMix, SmallBlocksAreExactToo) {
  const auto mix = ratios(0.7, 0, 0.3, 0, 0, 0);
  EXPECT_NEAR(share(drawn(mix, 9, 100'000, 16), Operation::update), 0.3, 2e-5);
}

TEST(OperationMix, KnowsASingleKind) {
  EXPECT_EQ(OperationMix(ratios(0, 0, 1, 0, 0, 0), 1).only_kind(), Operation::update);
  EXPECT_FALSE(OperationMix(ratios(0.5, 0, 0.5, 0, 0, 0), 1).only_kind());
}

}  // namespace
}  // namespace assay::index
