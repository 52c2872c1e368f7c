#include <assay/measure/counters/counter_event.hpp>

#include <gtest/gtest.h>
#include <linux/perf_event.h>

namespace assay {
namespace {

TEST(CounterEvent, GenericNamesAreThoseOfPerf) {
  const auto event = counter_event("instructions");
  ASSERT_TRUE(event.ok());
  EXPECT_EQ(event->type, static_cast<std::uint32_t>(PERF_TYPE_HARDWARE));
  EXPECT_EQ(event->config, static_cast<std::uint64_t>(PERF_COUNT_HW_INSTRUCTIONS));
  EXPECT_TRUE(event->in_user && event->in_kernel);
  EXPECT_FALSE(event->is_software());
  for (const std::string& name : generic_counter_names()) EXPECT_TRUE(counter_event(name).ok());
}

TEST(CounterEvent, CacheEventsAreEncodedAsTheKernelWants) {
  EXPECT_EQ(counter_event("L1-dcache-load-misses")->config, 0x10000U);
  EXPECT_EQ(counter_event("LLC-load-misses")->config, 0x10002U);
  EXPECT_EQ(counter_event("dTLB-load-misses")->config, 0x10003U);
  EXPECT_EQ(counter_event("dTLB-loads")->config, 3U);
}

TEST(CounterEvent, UserAndKernelCanBeToldApart) {
  const auto user = counter_event("cycles:u");
  EXPECT_TRUE(user->in_user && !user->in_kernel);
  EXPECT_EQ(user->name, "cycles:u");
  const auto kernel = counter_event("cycles:k");
  EXPECT_TRUE(!kernel->in_user && kernel->in_kernel);
  const auto both = counter_event("page-faults:uk");
  EXPECT_TRUE(both->in_user && both->in_kernel && both->is_software());
}

TEST(CounterEvent, RawCodesAreHexadecimal) {
  const auto event = counter_event("r1A2b:u");
  EXPECT_EQ(event->type, static_cast<std::uint32_t>(PERF_TYPE_RAW));
  EXPECT_EQ(event->config, 0x1A2BU);
  EXPECT_FALSE(event->in_kernel);
}

TEST(CounterEvent, WhatNobodyKnowsIsRefusedByName) {
  for (const char* const name : {"no-such-counter", "rxyz", "r", "", ":u", "r12345678901234567"}) {
    const auto event = counter_event(name);
    ASSERT_FALSE(event.ok()) << name;
    EXPECT_FALSE(event.error().what.empty());
  }
}

#ifdef ASSAY_HAVE_LIBPFM
TEST(CounterEvent, LibpfmNamesAreLookedUp) {
  const auto event = counter_event("perf::PERF_COUNT_SW_PAGE_FAULTS");
  ASSERT_TRUE(event.ok()) << event.error().line();
  EXPECT_TRUE(event->is_software());
  EXPECT_EQ(event->config, static_cast<std::uint64_t>(PERF_COUNT_SW_PAGE_FAULTS));
}
#endif

}  // namespace
}  // namespace assay
