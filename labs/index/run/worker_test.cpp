#include <assay/index/run/worker.hpp>

#include <assay/index/run/loading.hpp>
#include <assay/index/run/worker_threads.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace assay::index {
namespace {

/// A tree that stores records in a std::map and, for each thread, the keys it was called with.
class Map final : public tree_api {
 public:
  bool find(const char* key, std::size_t size, char* out) override {
    const std::lock_guard lock(mutex_);
    const auto found = records.find(note(key, size));
    if (found == records.end()) return false;
    std::memcpy(out, found->second.data(), found->second.size());
    return true;
  }
  bool insert(const char* key, std::size_t size, const char* value,
              std::size_t value_size) override {
    const std::lock_guard lock(mutex_);
    return records.try_emplace(note(key, size), value, value_size).second;
  }
  bool update(const char* key, std::size_t size, const char* value,
              std::size_t value_size) override {
    const std::lock_guard lock(mutex_);
    const auto found = records.find(note(key, size));
    if (found != records.end()) found->second.assign(value, value_size);
    return found != records.end();
  }
  bool remove(const char* key, std::size_t size) override {
    const std::lock_guard lock(mutex_);
    return records.erase(note(key, size)) == 1;
  }
  int scan(const char* key, std::size_t size, int asked, char*& out) override {
    thread_local std::string bytes;
    const std::lock_guard lock(mutex_);
    bytes.clear();
    int count = 0;
    for (auto at = records.lower_bound({key, size}); at != records.end() && count < asked; ++at) {
      bytes += at->first + at->second;
      ++count;
    }
    out = bytes.data();
    return count;
  }

  std::map<std::string, std::string> records{};
  std::map<std::thread::id, std::vector<std::string>> called{};

 private:
  std::string note(const char* key, std::size_t size) {
    called[std::this_thread::get_id()].emplace_back(key, size);
    return called[std::this_thread::get_id()].back();
  }
  std::mutex mutex_{};
};

Options small(std::uint32_t threads) {
  Options options;
  options.records = 1000;
  options.threads = threads;
  options.latency_sampling = 1;
  options.ratios[Operation::read] = 1;
  return options;
}

/// A run inside the test's process: loads records, runs workers, and gives the results.
struct TestRun {
  explicit TestRun(const Options& asked)
      : options(asked),
        keys(options.key, nullptr),
        results(SharedResults::make({.threads = options.threads,
                                     .timed = {all_operations.begin(), all_operations.end()}})
                    .value()) {
    if (options.verify) expected.emplace(options, options.records);
  }

  void load_and_run(std::uint64_t operations_each) {
    load(run());
    map.called.clear();
    run_team(options.threads, results.main(), [&](std::uint32_t thread) {
      Worker({.options = options,
              .keys = keys,
              .tree = map,
              .results = results,
              .place = run().place(thread),
              .expected = expected ? &*expected : nullptr})
          .run(operations_each);
    });
  }
  [[nodiscard]] RunContext run() {
    return {.options = options, .keys = keys, .tree = map, .results = results};
  }
  [[nodiscard]] std::uint64_t completed(Operation kind) const {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < results.threads(); ++i) {
      sum += results.thread(i).tallies[kind].completed.load();
    }
    return sum;
  }
  [[nodiscard]] std::uint64_t succeeded(Operation kind) const {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < results.threads(); ++i) {
      sum += results.thread(i).tallies[kind].succeeded.load();
    }
    return sum;
  }
  [[nodiscard]] std::string failure() const { return results.main().failure.data(); }

  Options options;
  KeyMaker keys;
  SharedResults results;
  Map map{};
  std::optional<ExpectedRecords> expected{};
};

TEST(Worker, LoadsEveryRecordOnce) {
  for (const std::uint32_t threads : {1U, 2U, 7U}) {
    TestRun run(small(threads));
    load(run.run());
    EXPECT_EQ(run.map.records.size(), 1000U);
    verify_loaded(run.run());
    EXPECT_EQ(run.failure(), "");
  }
}

TEST(Worker, SeesALoadedRecordThatIsMissing) {
  TestRun run(small(2));
  load(run.run());
  run.map.records.erase(run.map.records.begin());
  verify_loaded(run.run());
  EXPECT_NE(run.failure().find("a key that was written is not found"), std::string::npos);
}

TEST(Worker, EveryReadOfALoadedKeySucceeds) {
  TestRun run(small(2));
  run.load_and_run(5000);
  EXPECT_EQ(run.completed(Operation::read), 10'000U);
  EXPECT_EQ(run.succeeded(Operation::read), 10'000U);
}

TEST(Worker, EveryInsertSucceedsForAnyNumberOfThreads) {
  for (const std::uint32_t threads : {1U, 2U, 8U}) {
    Options options = small(threads);
    options.ratios = {{0.5, 0.5, 0, 0, 0, 0}};
    TestRun run(options);
    run.load_and_run(2000);
    EXPECT_EQ(run.completed(Operation::insert), 1000U * threads);
    EXPECT_EQ(run.succeeded(Operation::insert), 1000U * threads);
    EXPECT_EQ(run.map.records.size(), 1000U + 1000U * threads);
  }
}

TEST(Worker, RunsTheMixAskedForInEveryThread) {
  Options options = small(2);
  options.ratios = {{0.3, 0.1, 0.2, 0.1, 0.2, 0.1}};
  options.scans.size = 5;
  TestRun run(options);
  run.load_and_run(10'000);
  for (std::uint32_t i = 0; i < 2; ++i) {
    for (const Operation kind : all_operations) {
      EXPECT_NEAR(static_cast<double>(run.results.thread(i).tallies[kind].completed.load()),
                  10'000 * options.ratios[kind], 2)
          << name_of(kind);
    }
  }
}

TEST(Worker, ThreadsDrawDifferentKeysAndRunsTheSame) {
  const auto keys_of = [](std::uint64_t seed) {
    Options options = small(2);
    options.seed = seed;
    TestRun run(options);
    run.load_and_run(500);
    std::vector<std::vector<std::string>> lists;
    for (auto& [thread, keys] : run.map.called) lists.push_back(keys);
    std::sort(lists.begin(), lists.end());
    return lists;
  };
  const auto first = keys_of(1);
  ASSERT_EQ(first.size(), 2U);
  EXPECT_NE(first[0], first[1]);
  EXPECT_EQ(first, keys_of(1));
  EXPECT_NE(first, keys_of(2));
}

TEST(Worker, KeysHaveTheirPrefixInEveryThread) {
  Options options = small(3);
  options.ratios = {{0.5, 0.5, 0, 0, 0, 0}};
  options.key.prefix = "tenant-";
  TestRun run(options);
  run.load_and_run(300);
  ASSERT_EQ(run.map.called.size(), 3U);
  for (const auto& [thread, keys] : run.map.called) {
    for (const std::string& key : keys) {
      ASSERT_TRUE(key.starts_with("tenant-") && key.size() == 15) << key;
    }
  }
}

TEST(Worker, RecordsALatencyForEachOperationOfItsKind) {
  Options options = small(2);
  options.ratios = {{0.5, 0, 0.5, 0, 0, 0}};
  TestRun run(options);
  run.load_and_run(1000);
  for (const Operation kind : {Operation::read, Operation::update}) {
    for (std::uint32_t thread = 0; thread < 2; ++thread) {
      EXPECT_EQ(run.results.histogram(thread, kind)->histogram().total(), 500U);
    }
  }
  EXPECT_EQ(run.results.histogram(0, Operation::scan)->histogram().total(), 0U);
}

TEST(Worker, SamplesAboutTheShareOfLatenciesAskedFor) {
  Options options = small(1);
  options.latency_sampling = 0.1;
  TestRun run(options);
  run.load_and_run(20'000);
  const auto taken =
      static_cast<double>(run.results.histogram(0, Operation::read)->histogram().total());
  EXPECT_NEAR(taken, 2000, 200);
}

TEST(Worker, StopsWhereKeysEnd) {
  Options options = small(1);
  options.key.size = 2;
  options.records = 65'000;
  options.ratios = {{0, 1, 0, 0, 0, 0}};
  TestRun run(options);
  run.load_and_run(~std::uint64_t{0});
  EXPECT_NE(run.failure().find("no keys are left"), std::string::npos);
  EXPECT_EQ(run.results.main().fault, Fault::input);
  EXPECT_EQ(run.completed(Operation::insert), run.succeeded(Operation::insert));
}

TEST(Worker, PassesVerificationOfAMapForAnyNumberOfThreads) {
  for (const std::uint32_t threads : {1U, 2U, 4U}) {
    for (const auto distribution : {Distribution::uniform, Distribution::latest}) {
      Options options = small(threads);
      options.access = {.distribution = distribution, .skew = 0.5, .hot_share = 0};
      options.ratios = {{0.2, 0.2, 0.2, 0.2, 0.1, 0.1}};
      options.scans.size = 5;
      options.value = {.size = 40, .smallest = 8, .spread = Spread::fixed};
      options.verify = true;
      TestRun run(options);
      run.load_and_run(3000);
      verify_held(run.run(), *run.expected);
      EXPECT_EQ(run.failure(), "") << threads;
      EXPECT_EQ(run.expected->held(), run.map.records.size());
    }
  }
}

TEST(Worker, VerifiesValuesOfDifferentSizes) {
  for (const Spread spread : {Spread::uniform, Spread::zipfian}) {
    Options options = small(2);
    options.ratios = {{0.5, 0.2, 0.2, 0, 0.1, 0}};
    options.value = {.size = 100, .smallest = 8, .spread = spread};
    options.verify = true;
    TestRun run(options);
    run.load_and_run(3000);
    verify_held(run.run(), *run.expected);
    EXPECT_EQ(run.failure(), "");
    std::set<std::size_t> sizes;
    for (const auto& [key, value] : run.map.records) sizes.insert(value.size());
    EXPECT_GT(sizes.size(), 30U);
    EXPECT_GE(*sizes.begin(), 8U);
    EXPECT_LE(*sizes.rbegin(), 100U);
  }
}

TEST(Worker, SeesAtTheEndWhatIsMissingTooMuchOrOld) {
  const auto failure_after = [](const auto& damage) {
    Options options = small(2);
    options.ratios = {{0, 0.3, 0.4, 0.3, 0, 0}};
    options.verify = true;
    TestRun run(options);
    run.load_and_run(2000);
    damage(run);
    verify_held(run.run(), *run.expected);
    return run.failure();
  };
  EXPECT_EQ(failure_after([](TestRun&) {}), "");
  EXPECT_NE(failure_after([](TestRun& run) { run.map.records.erase(run.map.records.begin()); }),
            "");
  EXPECT_NE(failure_after([](TestRun& run) { run.map.records.begin()->second.assign(8, 'x'); }),
            "");
  EXPECT_NE(failure_after([](TestRun& run) {
              // Reinserts all records that were removed.
              for (std::uint64_t id = 0; id < 1000; ++id) {
                KeyBlock block(run.keys);
                const std::array<std::uint64_t, 1> ids{id};
                block.write(ids);
                run.map.records.try_emplace(std::string(block.key(0), 8), 8, 'x');
              }
            }),
            "");
}

TEST(Worker, AnOpenLoopCountsFromWhenItWasToBegin) {
  Options options = small(2);
  options.open_loop = {.rate = 1e6, .arrival = Arrival::poisson};
  TestRun run(options);
  run.load_and_run(2000);
  EXPECT_EQ(run.completed(Operation::read), 4000U);
  EXPECT_EQ(run.results.histogram(0, Operation::read)->histogram().total(), 2000U);
}

}  // namespace
}  // namespace assay::index
