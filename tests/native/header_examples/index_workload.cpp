// The examples of labs/index/options, workload and check, line for line
// (tools/header_examples.py).
#include <assay/index/check/expected_records.hpp>
#include <assay/index/check/scan_check.hpp>
#include <assay/index/check/scan_order.hpp>
#include <assay/index/empty_tree.hpp>
#include <assay/index/options/command_line.hpp>
#include <assay/index/options/operation.hpp>
#include <assay/index/options/option_names.hpp>
#include <assay/index/options/options.hpp>
#include <assay/index/run/shared_results.hpp>
#include <assay/index/workload/chi_square.hpp>
#include <assay/index/workload/decreasing_sampler.hpp>
#include <assay/index/workload/fast_random.hpp>
#include <assay/index/workload/id_source.hpp>
#include <assay/index/workload/key_file.hpp>
#include <assay/index/workload/key_maker.hpp>
#include <assay/index/workload/mix.hpp>
#include <assay/index/workload/value_maker.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::index {
namespace {

const Options options{.plugin = "stlmap"};
const std::uint64_t seed = 1729;

TEST(HeaderExamples, CommandLine) {
  const std::vector<std::string> arguments{"--help"};
  std::string printed;
  const auto print = [&](const std::string& help) { printed = help; };

  const auto line = assay::index::parse_command_line(arguments);
  if (line && line->help) print(*line->help);

  EXPECT_FALSE(printed.empty());
}

TEST(HeaderExamples, Operation) {
  PerOperation<double> ratios{};
  ratios[Operation::read] = 0.95;

  EXPECT_EQ(ratios.values[0], 0.95);
}

TEST(HeaderExamples, OptionNames) {
  const std::string_view name = name_of(Distribution::zipfian);  // "zipfian"

  EXPECT_EQ(name, "zipfian");
}

TEST(HeaderExamples, Options) {
  Options asked{.plugin = "stlmap", .threads = 4};
  asked.ratios[Operation::read] = 1;

  EXPECT_TRUE(asked.has(Operation::read));
}

TEST(HeaderExamples, ChiSquare) {
  const std::vector<std::uint64_t> seen{51, 49};
  const std::vector<double> probabilities{0.5, 0.5};

  EXPECT_TRUE(chi_square(seen, probabilities).fits());
}

TEST(HeaderExamples, DecreasingSampler) {
  FastRandom random(seed);

  const DecreasingSampler zipfian = DecreasingSampler::zipfian(1'000'000'000, 0.99);
  const std::uint64_t rank = zipfian.draw(random);

  EXPECT_LT(rank, 1'000'000'000U);
}

TEST(HeaderExamples, FastRandom) {
  const std::uint64_t records = 100;

  FastRandom random(seed);
  const Share share = share_of(random.next(), records);  // share.index < records

  EXPECT_LT(share.index, records);
}

TEST(HeaderExamples, IdSource) {
  const ThreadPartition place{.records = 10};
  std::array<std::uint64_t, 4> block{};
  const std::uint64_t inserted = 0;

  auto ids = assay::index::make_id_source(options.access, place, seed);
  ids->draw(block, inserted);  // inserted: how many this thread has so far

  EXPECT_LT(std::ranges::max(block), 10U);
}

TEST(HeaderExamples, KeyFile) {
  const std::string prefix;

  auto keys = assay::index::KeyFile::read("words.txt", prefix);

  EXPECT_FALSE(keys) << "there is no such file";
}

TEST(HeaderExamples, KeyMaker) {
  const auto empty = make_empty_tree();
  tree_api& tree = *empty;
  const KeyFile* const file = nullptr;
  const std::array<std::uint64_t, 2> ids{7, 8};
  std::array<char, 8> value{};
  char* const out = value.data();

  KeyMaker keys(options.key, file);
  KeyBlock block(keys);
  block.write(ids);  // up to block.capacity() of them
  tree.find(block.key(0), block.size(0), out);

  EXPECT_EQ(keys.id_of(block.key(1)), 8U);
}

TEST(HeaderExamples, Mix) {
  PerOperation<double> ratios{};
  ratios[Operation::scan] = 1;
  std::array<Operation, 4> kinds{};

  OperationMix mix(ratios, seed);
  mix.draw(kinds);  // a block of kinds, in random order

  EXPECT_EQ(kinds.back(), Operation::scan);
}

TEST(HeaderExamples, ValueMaker) {
  const std::uint64_t id = 7;
  const std::uint32_t version = 2;

  ValueMaker values(options.value, seed, Body::whole);
  const auto value = values.make(id, version);  // bytes, until the next make
  const bool is_right = values.is_of(id, value.data()) && values.is_whole(id, value.data());

  EXPECT_TRUE(is_right);
}

TEST(HeaderExamples, ExpectedRecords) {
  const std::uint64_t records = 10;
  const std::uint64_t id = 3;
  const ThreadPartition place{.records = records};

  ExpectedRecords expected(options, records);  // with --verify
  expected.note_remove(place, id);
  const bool is_there = expected.holds(place, id);

  EXPECT_FALSE(is_there);
  EXPECT_TRUE(expected.holds(place, id + 1));
}

TEST(HeaderExamples, ScanCheck) {
  const KeyMaker keys({.size = 2}, nullptr);
  const ValueMaker values({.size = 1}, seed, Body::whole);
  const std::size_t value_bytes = 1;
  const auto results = SharedResults::make({}).value();
  const char* const key = "ab";
  const char* const records = "bbvaav";
  const int count = 2;
  std::string failure;
  const auto fail = [&](const std::string& lie_told) { failure = lie_told; };

  ScanCheck check(keys, values, value_bytes, results.main().scan_orders);
  if (auto lie = check.wrong_order({.start = key, .records = 100}, records, count)) fail(*lie);

  EXPECT_NE(failure, "");
}

TEST(HeaderExamples, ScanOrder) {
  const char* const key = "a";
  const char* const next_key = "b";
  const std::size_t bytes = 1;

  ScanOrders orders = every_scan_order;
  orders = ascending(orders, {key, next_key, bytes});   // those in which the next is above
  const std::string_view name = name_of_order(orders);  // as "bytes (memcmp)"

  EXPECT_EQ(orders, every_scan_order);
  EXPECT_EQ(name, "");
}

}  // namespace
}  // namespace assay::index
