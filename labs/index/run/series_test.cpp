#include <assay/index/run/series.hpp>

#include <gtest/gtest.h>

namespace assay::index {
namespace {

SeriesSample at(std::int64_t second) {
  SeriesSample sample{.at_ns = second, .completed = {}};
  sample.completed[Operation::read] = static_cast<std::uint64_t>(10 * second);
  return sample;
}

TEST(Series, KeepsEverySampleWhileThereIsRoom) {
  Series series(8);
  for (int i = 1; i <= 8; ++i) series.add(at(i));
  EXPECT_EQ(series.samples().size(), 8U);
  EXPECT_EQ(series.merge_factor(), 1U);
}

TEST(Series, MergesNeighboursWhenItIsFull) {
  Series series(8);
  for (int i = 1; i <= 9; ++i) series.add(at(i));
  EXPECT_EQ(series.merge_factor(), 2U);
  ASSERT_EQ(series.samples().size(), 5U);
  EXPECT_EQ(series.samples()[0].at_ns, 2);
  EXPECT_EQ(series.samples()[3].at_ns, 8);
  EXPECT_EQ(series.samples()[4].at_ns, 9);
  series.add(at(10));
  EXPECT_EQ(series.samples().size(), 5U);
  EXPECT_EQ(series.samples()[4].at_ns, 10);
}

TEST(Series, NeverGrowsAndLosesNoOperation) {
  Series series(64);
  for (int i = 1; i <= 100'000; ++i) {
    series.add(at(i));
    ASSERT_LE(series.samples().size(), 64U);
  }
  EXPECT_EQ(series.samples().back().all(), 1'000'000U);
  for (std::size_t i = 2; i + 1 < series.samples().size(); ++i) {
    const auto& samples = series.samples();
    EXPECT_EQ(samples[i].at_ns - samples[i - 1].at_ns, samples[1].at_ns - samples[0].at_ns);
  }
}

TEST(Series, FitsIntoWhatIsLeftBesideHistograms) {
  EXPECT_LE(sizeof(SeriesSample) * 32'768, std::size_t{2} << 20U);
}

}  // namespace
}  // namespace assay::index
