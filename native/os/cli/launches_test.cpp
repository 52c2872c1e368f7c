#include <assay/os/cli/launches.hpp>

#include <assay/os/cli/command.hpp>
#include <assay/os/cli/statistics.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace assay::os {
namespace {

constexpr std::int64_t launch_takes_ns = 100'000'000;  // 50 of them fill the 5 s there are

// Launches that give what is on the list, the last figure again and again, and a clock that moves
// on by one launch at each.
class Bench {
 public:
  explicit Bench(std::vector<double> figures_ns) : figures_ns_(std::move(figures_ns)) {}

  Measured measure(const std::vector<std::string>& words) {
    const auto command = parse_command(words);
    EXPECT_TRUE(command) << command.error().line();
    if (!command) return {};
    return launches_for(
        *command, [this](const Effort& effort, int& ended_by) { return launch(effort, ended_by); },
        [this] { return now_ns_; });
  }

  std::size_t fails_at{1'000}, stopped_at{1'000};
  std::vector<Effort> efforts{};

 private:
  Launched launch(const Effort& effort, int& ended_by) {
    const std::size_t place = efforts.size();
    efforts.push_back(effort);
    now_ns_ += launch_takes_ns;
    if (place == stopped_at) ended_by = 15;
    Launched launched;
    launched.per_call_ns.assign(5, figures_ns_[std::min(place, figures_ns_.size() - 1)]);
    if (place == fails_at) launched.trouble = Error{"broken", "a launch"};
    return launched;
  }

  std::vector<double> figures_ns_;
  std::int64_t now_ns_{1'000};
};

// Their interval is not narrow after 50 of them.
std::vector<double> restless() {
  std::vector<double> figures_ns(60);
  for (std::size_t i = 0; i < figures_ns.size(); ++i) figures_ns[i] = i % 2 == 0 ? 100.0 : 110.0;
  return figures_ns;
}

double half_width_of(const std::vector<Launched>& launches) {
  const Statistics all = statistics_of(launches, 0);
  return (all.high_ns - all.low_ns) / 2 / all.typical_ns;
}

TEST(Launches, AreSixWhereTheyAgree) {
  Bench bench({100, 100.5, 100, 100.5, 100, 100.5});
  const Measured measured = bench.measure({"nop"});
  EXPECT_EQ(measured.launches.size(), 6U);
  EXPECT_EQ(measured.elapsed_ns, 6 * launch_takes_ns);
  EXPECT_FALSE(measured.trouble);
}

TEST(Launches, GoOnUntilTheIntervalIsNarrow) {
  Bench bench({100, 110, 100, 110, 100, 110, 105});
  std::vector<Launched> launches = bench.measure({"nop"}).launches;
  ASSERT_GT(launches.size(), 6U);
  ASSERT_LT(launches.size(), 50U);
  EXPECT_LE(half_width_of(launches), 0.01);
  launches.pop_back();
  EXPECT_GT(half_width_of(launches), 0.01);
}

TEST(Launches, EndWithTheTimeWhereTheyNeverAgree) {
  Bench bench(restless());
  const Measured measured = bench.measure({"nop"});
  EXPECT_EQ(measured.launches.size(), 50U);
  EXPECT_EQ(measured.elapsed_ns, 5'000'000'000);
  EXPECT_GT(half_width_of(measured.launches), 0.01);
}

TEST(Launches, AreNoMoreThanWereAskedFor) {
  Bench bench(restless());
  EXPECT_EQ(bench.measure({"nop", "-C", "10", "--launches", "4"}).launches.size(), 4U);
  std::vector<std::int64_t> samples;
  for (const Effort& effort : bench.efforts) samples.push_back(effort.samples);
  EXPECT_EQ(samples, (std::vector<std::int64_t>{3, 3, 2, 2}));
}

TEST(Launches, EndAtOneThatFails) {
  for (const std::size_t place : {std::size_t{2}, std::size_t{8}}) {
    Bench bench(restless());
    bench.fails_at = place;
    const Measured measured = bench.measure({"nop"});
    EXPECT_EQ(measured.launches.size(), place + 1);
    ASSERT_TRUE(measured.trouble);
    EXPECT_EQ(measured.trouble->what, "broken");
  }
}

TEST(Launches, EndAtASignal) {
  for (const std::size_t place : {std::size_t{2}, std::size_t{8}}) {
    Bench bench(restless());
    bench.stopped_at = place;
    const Measured measured = bench.measure({"nop"});
    EXPECT_EQ(measured.launches.size(), place + 1);
    EXPECT_EQ(measured.ended_by, 15);
  }
}

}  // namespace
}  // namespace assay::os
