#include <assay/index/run/shared_results.hpp>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <vector>

namespace assay::index {
namespace {

const std::vector<Operation> everything(all_operations.begin(), all_operations.end());

TEST(SharedResults, KeepsWhatAChildCountedBeforeItWasKilled) {
  const auto results = SharedResults::make({.threads = 2, .timed = {Operation::read}});
  ASSERT_TRUE(results.ok());
  const pid_t child = fork();
  if (child == 0) {
    add(results->thread(1).tallies[Operation::read].completed, 41);
    results->histogram(1, Operation::read)->record(1000, false);
    _exit(9);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(results->thread(1).tallies[Operation::read].completed.load(), 41U);
  EXPECT_EQ(results->histogram(1, Operation::read)->histogram().total(), 1U);
}

TEST(SharedResults, HistogramsStayBelow48MegabytesForAnyNumberOfThreads) {
  for (const std::uint32_t threads : {1U, 2U, 64U, 1024U}) {
    const auto results = SharedResults::make({.threads = threads, .timed = everything});
    ASSERT_TRUE(results.ok());
    EXPECT_LE(results->histogram_bytes(), std::size_t{48} << 20U);
    EXPECT_EQ(results->shares_histograms(), threads > 30);
    EXPECT_NE(results->histogram(threads - 1, Operation::scan), nullptr);
  }
}

TEST(SharedResults, HasHistogramsOnlyOfKindsThatAreTimed) {
  const auto results = SharedResults::make({.threads = 1, .timed = {Operation::scan}});
  EXPECT_EQ(results->histogram(0, Operation::read), nullptr);
  EXPECT_NE(results->histogram(0, Operation::scan), nullptr);
}

TEST(SharedHistogram, RecordsWhatALatencyHistogramDoes) {
  const auto results = SharedResults::make({.threads = 1, .timed = {Operation::read}});
  for (const bool is_shared : {false, true}) {
    SharedHistogram& here = *results->histogram(0, Operation::read);
    for (const std::int64_t value : {1L, 30L, 2047L, 2048L, 123'456'789L}) {
      here.record(value, is_shared);
    }
  }
  SharedHistogram& here = *results->histogram(0, Operation::read);
  LatencyHistogram there;
  for (int i = 0; i < 2; ++i) {
    for (const std::int64_t value : {1L, 30L, 2047L, 2048L, 123'456'789L}) there.record(value);
  }
  const LatencyHistogram counted = here.histogram();
  EXPECT_TRUE(std::equal(there.counts().begin(), there.counts().end(), counted.counts().begin()));
  EXPECT_EQ(here.min_ns(), 1);
  EXPECT_EQ(here.max_ns(), 123'456'789);
  EXPECT_EQ(here.sum_ns(), 2 * (1UL + 30 + 2047 + 2048 + 123'456'789));
}

TEST(SharedHistogram, CountsWhatIsOutOfRangeAsTheNearestInRange) {
  const auto results = SharedResults::make({.threads = 1, .timed = {Operation::read}});
  SharedHistogram& here = *results->histogram(0, Operation::read);
  here.record(0, false);
  here.record(-5, false);
  here.record(LatencyHistogram::highest_ns + 1, false);
  EXPECT_EQ(here.clamped_below(), 2U);
  EXPECT_EQ(here.clamped_above(), 1U);
  EXPECT_EQ(here.histogram().total(), 3U);
  EXPECT_EQ(here.min_ns(), 1);
}

TEST(RunState, TheFirstFailureCounts) {
  const auto results = SharedResults::make({.threads = 1, .timed = {}});
  results->main().fail(Fault::plugin, "first");
  results->main().fail(Fault::input, "second");
  EXPECT_STREQ(results->main().failure.data(), "first");
  EXPECT_EQ(results->main().fault, Fault::plugin);
  EXPECT_TRUE(results->main().stop.load());
}

TEST(RunState, CutsAFailureThatIsTooLong) {
  const auto results = SharedResults::make({.threads = 1, .timed = {}});
  results->main().fail(Fault::plugin, std::string(5000, 'x'));
  EXPECT_EQ(std::string(results->main().failure.data()).size(), 1023U);
}

}  // namespace
}  // namespace assay::index
