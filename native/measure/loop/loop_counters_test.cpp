#include <assay/measure/loop/loop_counters.hpp>

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cerrno>
#include <string_view>

namespace assay {
namespace {

std::uint64_t value_of(const auto& counts, std::string_view name) {
  for (const auto& one : counts) {
    if (one.name == name) return one.value;
  }
  ADD_FAILURE() << "no " << name;
  return 0;
}

TEST(LoopCounters, CountsThePagesThatWereTouchedInBetween) {
  constexpr std::size_t page = 4096;
  constexpr std::size_t pages = 100;
  auto* const memory = static_cast<char*>(
      mmap(nullptr, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  madvise(memory, pages * page, MADV_NOHUGEPAGE);
  LoopCounters counters;
  counters.begin();
  for (std::size_t i = 0; i < pages; ++i) memory[i * page] = 1;
  EXPECT_GE(value_of(counters.end(), "minor_faults"), pages);
  counters.begin();
  EXPECT_LT(value_of(counters.end(), "minor_faults"), pages);
  munmap(memory, pages * page);
}

TEST(LoopCounters, WhatCannotBeCountedSaysWhyNot) {
  LoopCounters counters;
  counters.begin();
  for (const auto& one : counters.end()) {
    if (std::string_view(one.name) == "instructions" && one.why_not == 0) {
      EXPECT_GT(one.value, 0U);
    }
    if (one.why_not != 0) {
      EXPECT_EQ(one.value, 0U) << one.name;
    }
  }
}

}  // namespace
}  // namespace assay
