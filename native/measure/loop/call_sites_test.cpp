#include <assay/measure/loop/call_sites.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace assay {
namespace {

using Calls = std::vector<std::uintptr_t>;

class CallSitesTest : public testing::Test {
 protected:
  // On the heap: it is larger than a stack.
  std::unique_ptr<CallSites> sites_ = std::make_unique<CallSites>();

  std::size_t used() {
    std::size_t number = 0;
    sites_->each([&](const CallSites::Site& site) { number += site.count > 0 ? 1U : 0U; });
    return number;
  }
};

TEST_F(CallSitesTest, TheSameCallsAreOneSite) {
  const Calls calls{10, 20, 30};
  sites_->add(CallSites::allocated, calls, 64);
  sites_->add(CallSites::allocated, calls, 36);
  ASSERT_EQ(used(), 1U);
  sites_->each([&](const CallSites::Site& site) {
    EXPECT_EQ(site.count, 2U);
    EXPECT_EQ(site.bytes, 100U);
    EXPECT_EQ(Calls(site.stack().begin(), site.stack().end()), calls);
  });
}

TEST_F(CallSitesTest, OtherCallsAndOtherEventsAreOthers) {
  sites_->add(CallSites::allocated, Calls{10, 20}, 1);
  sites_->add(CallSites::allocated, Calls{20, 10}, 1);
  sites_->add(CallSites::allocated, Calls{10}, 1);
  sites_->add(CallSites::freed, Calls{10}, 1);
  sites_->add(CallSites::freed, Calls{}, 1);
  EXPECT_EQ(used(), 5U);
}

TEST_F(CallSitesTest, ClearingLeavesNoCounts) {
  sites_->add(CallSites::allocated, Calls{10}, 1);
  sites_->clear();
  EXPECT_EQ(used(), 0U);
  sites_->add(CallSites::allocated, Calls{10}, 5);
  sites_->each([](const CallSites::Site& site) { EXPECT_EQ(site.bytes, 5U); });
}

TEST_F(CallSitesTest, OfDeepCallsTheInnermostAreKept) {
  Calls deep(CallSites::deepest + 5);
  for (std::size_t i = 0; i < deep.size(); ++i) deep[i] = i + 1;
  sites_->add(CallSites::allocated, deep, 1);
  sites_->each([](const CallSites::Site& site) {
    EXPECT_EQ(site.stack().size(), CallSites::deepest);
    EXPECT_EQ(site.stack().front(), 1U);
  });
}

TEST_F(CallSitesTest, WhatHasNoPlaceIsCountedAllTheSame) {
  constexpr std::uint64_t many = CallSites::most + 1000;
  for (std::uint64_t i = 0; i < many; ++i) sites_->add(CallSites::allocated, Calls{i}, 2);
  std::uint64_t count = sites_->lost().count;
  EXPECT_GT(count, 0U);
  std::uint64_t bytes = sites_->lost().bytes;
  sites_->each([&](const CallSites::Site& site) {
    count += site.count;
    bytes += site.bytes;
  });
  EXPECT_EQ(count, many);
  EXPECT_EQ(bytes, 2 * many);
}

TEST_F(CallSitesTest, ThreadsMissNothing) {
  constexpr std::uint64_t each = 20'000;
  std::array<std::jthread, 4> threads;
  for (auto& thread : threads) {
    thread = std::jthread([this] {
      for (std::uint64_t i = 0; i < each; ++i) sites_->add(CallSites::freed, Calls{i % 50}, 1);
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(used(), 50U);
  sites_->each([](const CallSites::Site& site) { EXPECT_EQ(site.count, 4 * each / 50); });
}

}  // namespace
}  // namespace assay
