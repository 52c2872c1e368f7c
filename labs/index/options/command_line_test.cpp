#include <assay/index/options/command_line.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace assay::index {
namespace {

Options parsed(std::vector<std::string> arguments) {
  const auto line = parse_command_line(std::move(arguments));
  EXPECT_TRUE(line.ok()) << (line ? "" : line.error().line());
  return line ? line->options : Options{};
}

std::string refused(std::vector<std::string> arguments) {
  const auto line = parse_command_line(std::move(arguments));
  return line ? "" : line.error().line();
}

TEST(CommandLine, TakesPiBenchsShortFlags) {
  const Options options = parsed({"lib.so", "-n", "10",   "-p", "20",   "-t",  "3",   "-f",  "pre",
                                  "-k",     "16", "-v",   "32", "-r",   "0.1", "-i",  "0.2", "-u",
                                  "0.3",    "-d", "0.15", "-s", "0.25", "-m",  "time"});
  EXPECT_EQ(options.plugin, "lib.so");
  EXPECT_EQ(options.records, 10U);
  EXPECT_EQ(options.operations, 20U);
  EXPECT_EQ(options.threads, 3U);
  EXPECT_EQ(options.key.prefix, "pre");
  EXPECT_EQ(options.key.size, 16U);
  EXPECT_EQ(options.key_bytes(), 19U);
  EXPECT_EQ(options.value.size, 32U);
  EXPECT_EQ(options.ratios.values, (std::array{0.1, 0.2, 0.3, 0.15, 0.25, 0.0}));
  EXPECT_EQ(options.mode, Mode::time);
}

TEST(CommandLine, TakesPiBenchsLongFlags) {
  const Options options = parsed({"--input=lib.so",
                                  "--records=10",
                                  "--operations=20",
                                  "--threads=3",
                                  "--key_prefix=pre",
                                  "--key_size=16",
                                  "--value_size=32",
                                  "--read_ratio=0.1",
                                  "--insert_ratio=0.2",
                                  "--update_ratio=0.3",
                                  "--remove_ratio=0.15",
                                  "--scan_ratio=0.25",
                                  "--scan_size=7",
                                  "--sampling_ms=100",
                                  "--distribution=SELFSIMILAR",
                                  "--skew=0.3",
                                  "--seed=5",
                                  "--pcm=false",
                                  "--pool_path=/tmp/assay-test-pool",
                                  "--pool_size=4096",
                                  "--skip_load=false",
                                  "--latency_sampling=0.5",
                                  "--mode=time",
                                  "--seconds=2.5"});
  EXPECT_EQ(options.plugin, "lib.so");
  EXPECT_EQ(options.scans.size, 7U);
  EXPECT_EQ(options.sampling_ms, 100U);
  EXPECT_EQ(options.access.distribution, Distribution::self_similar);
  EXPECT_EQ(options.access.skew, 0.3);
  EXPECT_EQ(options.seed, 5U);
  EXPECT_FALSE(options.pcm);
  EXPECT_EQ(options.pool.path, "/tmp/assay-test-pool");
  EXPECT_EQ(options.pool.size_bytes, 4096U);
  EXPECT_FALSE(options.skip_load);
  EXPECT_EQ(options.latency_sampling, 0.5);
  EXPECT_EQ(options.seconds, 2.5);
}

TEST(CommandLine, HasPiBenchsDefaults) {
  const Options options = parsed({"lib.so"});
  EXPECT_EQ(options.records, 1'000'000U);
  EXPECT_EQ(options.operations, 1'000'000U);
  EXPECT_EQ(options.threads, 1U);
  EXPECT_EQ(options.key.size, 8U);
  EXPECT_EQ(options.value.size, 8U);
  EXPECT_EQ(options.ratios[Operation::read], 1);
  EXPECT_EQ(options.scans.size, 100U);
  EXPECT_EQ(options.sampling_ms, 1000U);
  EXPECT_EQ(options.access.distribution, Distribution::uniform);
  EXPECT_EQ(options.seed, 1729U);
  EXPECT_TRUE(options.pcm);
  EXPECT_FALSE(options.skip_load);
  EXPECT_EQ(options.latency_sampling, 0);
  EXPECT_EQ(options.seconds, 20);
  EXPECT_EQ(options.mode, Mode::operation);
}

TEST(CommandLine, TakesBooleansBareOrWithAValue) {
  EXPECT_TRUE(parsed({"--pcm", "lib.so"}).pcm);
  EXPECT_FALSE(parsed({"--pcm", "false", "lib.so"}).pcm);
  EXPECT_FALSE(parsed({"lib.so", "--pcm=false"}).pcm);
  EXPECT_TRUE(parsed({"--verify", "lib.so"}).verify);
  EXPECT_EQ(parsed({"--verify", "lib.so"}).plugin, "lib.so");
  EXPECT_FALSE(parsed({"--verify", "false", "lib.so"}).verify);
  EXPECT_FALSE(parsed({"lib.so", "--check_scans", "false"}).scans.checked);
}

TEST(CommandLine, SkewDependsOnTheDistribution) {
  EXPECT_EQ(parsed({"x", "--distribution", "zipfian"}).access.skew, 0.99);
  EXPECT_EQ(parsed({"x", "--distribution", "ZIPFIAN", "--skew", "0.2"}).access.skew, 0.2);
  EXPECT_EQ(parsed({"x", "--distribution", "selfsimilar"}).access.skew, 0.2);
}

TEST(CommandLine, KnowsTheWorkloadsOfYcsb) {
  const Options a = parsed({"x", "--workload", "ycsb-a"});
  EXPECT_EQ(a.ratios.values, (std::array{0.5, 0.0, 0.5, 0.0, 0.0, 0.0}));
  EXPECT_EQ(a.access.distribution, Distribution::zipfian);
  EXPECT_EQ(a.access.skew, 0.99);
  EXPECT_EQ(parsed({"x", "--workload", "ycsb-d"}).access.distribution, Distribution::latest);
  const Options e = parsed({"x", "--workload", "ycsb-e"});
  EXPECT_EQ(e.scans.spread, Spread::uniform);
  EXPECT_EQ(e.ratios[Operation::scan], 0.95);
  EXPECT_EQ(parsed({"x", "--workload", "ycsb-f"}).ratios[Operation::read_modify_write], 0.5);
  EXPECT_EQ(parsed({"x", "--workload", "ycsb-c", "--distribution", "uniform"}).access.distribution,
            Distribution::uniform);
  for (const char* const name : {"ycsb-a", "ycsb-b", "ycsb-c", "ycsb-d", "ycsb-e", "ycsb-f"}) {
    EXPECT_EQ(refused({"x", "--workload", name}), "");
  }
}

TEST(CommandLine, AnOpenLoopTakesEveryLatency) {
  EXPECT_EQ(parsed({"x", "--rate", "1000"}).latency_sampling, 1);
  EXPECT_EQ(parsed({"x", "--rate", "1000", "--latency_sampling", "0.5"}).latency_sampling, 0.5);
  EXPECT_EQ(parsed({"x", "--rate", "9", "--arrivals", "poisson"}).open_loop.arrival,
            Arrival::poisson);
}

TEST(CommandLine, TakesRatiosThatSumToOneButForRounding) {
  EXPECT_EQ(refused({"x", "-r", "0.333333", "-u", "0.333333", "-s", "0.333334"}), "");
  EXPECT_EQ(refused({"x", "-r", "0.1", "-u", "0.2", "-d", "0.7"}), "");
  EXPECT_EQ(refused({"x", "-r", "0.9999995"}), "");
  EXPECT_NE(refused({"x", "-r", "0.99999"}), "");
  EXPECT_NE(refused({"x", "-r", "0.5"}).find("sum to 0.5, not to 1"), std::string::npos);
  EXPECT_NE(refused({"x", "-r", "1.5", "-i", "-0.5"}), "");
}

TEST(CommandLine, RefusesWhatNoRunCanBeMadeOf) {
  const std::vector<std::vector<std::string>> bad{
      {},
      {"x", "--bogus"},
      {"x", "y"},
      {"x", "-n", "many"},
      {"x", "-n", "-5"},
      {"x", "-n", "0"},
      {"x", "-t", "0"},
      {"x", "-t", "5000"},
      {"x", "-k", "0"},
      {"x", "-k", "1025"},
      {"x", "-k", "1000", "-f", std::string(100, 'p')},
      {"x", "-v", "0"},
      {"x", "--scan_size", "0"},
      {"x", "--sampling_ms", "0"},
      {"x", "--latency_sampling", "1.5"},
      {"x", "--distribution", "normal"},
      {"x", "--distribution", "zipfian", "--skew", "5.1"},
      {"x", "--distribution", "selfsimilar", "--skew", "0.6"},
      {"x", "--mode", "forever"},
      {"x", "--workload", "ycsb-z"},
      {"x", "--workload", "ycsb-a", "-r", "1"},
      {"x", "--rate", "-1"},
      {"x", "--value_sizes", "uniform", "--value_size_min", "9"},
      {"x", "--pool_path", "/nonexistent/folder/pool"},
      {"x", "--pool_path", "/proc/pool"},
      {"x", "--pool_path", "/tmp/assay-no-such-pool", "--skip_load"},
      {"x", "--pool_path", "/tmp/assay-no-such-pool", "--pool_size", "9000000000000000000"},
      {"x", "--verify=perhaps"},
  };
  for (const auto& arguments : bad) {
    const std::string message = refused(arguments);
    EXPECT_NE(message, "") << (arguments.empty() ? "" : arguments.back());
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

TEST(CommandLine, RefusesKeysTooShortForTheRecords) {
  EXPECT_NE(refused({"x", "-k", "1", "-n", "257"}), "");
  EXPECT_EQ(refused({"x", "-k", "1", "-n", "256"}), "");
  EXPECT_NE(refused({"x", "-k", "2", "-n", "65000", "-p", "1000", "-r", "0", "-i", "1"}), "");
  EXPECT_EQ(refused({"x", "-k", "2", "-n", "65000", "-p", "1000", "-r", "0.5", "-i", "0.5"}), "");
  EXPECT_EQ(refused({"x", "-k", "3"}), "");
}

TEST(CommandLine, JsonOnStandardOutputLeavesTheTextOut) {
  EXPECT_EQ(parsed({"x", "--json", "-"}).outputs.report, Report::none);
  EXPECT_EQ(parsed({"x", "--json", "file"}).outputs.report, Report::assay);
  EXPECT_EQ(parsed({"x", "--report", "pibench-v1"}).outputs.report, Report::pibench_v1);
}

TEST(CommandLine, HelpNamesEveryFlag) {
  const auto line = parse_command_line({"--help"});
  ASSERT_TRUE(line.ok());
  for (const char* const flag : {"--records",      "--operations",
                                 "--threads",      "--key_prefix",
                                 "--key_size",     "--value_size",
                                 "--read_ratio",   "--insert_ratio",
                                 "--update_ratio", "--remove_ratio",
                                 "--scan_ratio",   "--rmw_ratio",
                                 "--scan_size",    "--sampling_ms",
                                 "--distribution", "--skew",
                                 "--seed",         "--pcm",
                                 "--pool_path",    "--pool_size",
                                 "--skip_load",    "--latency_sampling",
                                 "--mode",         "--seconds",
                                 "--rate",         "--arrivals",
                                 "--workload",     "--verify",
                                 "--key_order",    "--key_file",
                                 "--value_sizes",  "--timeout",
                                 "--json",         "--hdr_log",
                                 "--report",       "--label"}) {
    EXPECT_NE(line->help->find(flag), std::string::npos) << flag;
  }
}

}  // namespace
}  // namespace assay::index
