#include <assay/restore/restore_options.hpp>

#include <gtest/gtest.h>

namespace assay::restore {
namespace {

TEST(RestoreOptions, AreTakenAndTheOthersLeft) {
  std::vector<std::string> arguments{"suite", "--restore_100m", "--benchmark_filter=x",
                                     "--restore_seed=7", "--restore_csv=a=b.csv"};
  const Result<RestoreOptions> options = take_restore_options(arguments);
  ASSERT_TRUE(options);
  EXPECT_EQ(options->largest, Largest::hundred_million);
  EXPECT_EQ(options->seed, 7U);
  EXPECT_EQ(options->csv_path, "a=b.csv");
  EXPECT_EQ(arguments, (std::vector<std::string>{"suite", "--benchmark_filter=x"}));
}

TEST(RestoreOptions, WhatIsNotUnderstoodIsTold) {
  for (const char* wrong : {"--restore_100m=maybe", "--restore_seed=x",
                            "--restore_csv=", "--restore_nothing", "--restore_listing"}) {
    std::vector<std::string> arguments{"suite", wrong};
    const Result<RestoreOptions> options = take_restore_options(arguments);
    ASSERT_FALSE(options) << wrong;
    EXPECT_EQ(options.error().where, wrong);
    EXPECT_FALSE(options.error().hint.empty());
  }
}

}  // namespace
}  // namespace assay::restore
