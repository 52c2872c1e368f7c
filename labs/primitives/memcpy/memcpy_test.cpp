#include <assay/primitives/memcpy/memcpy_group.hpp>

#include <gtest/gtest.h>

#include <cstring>

namespace assay::primitives {
namespace {

TEST(CopyCheck, CatchesTooLittleAndTooMuch) {
  const auto short_of_one = [](char* to, const char* from, std::size_t size) {
    if (size > 0) std::memcpy(to, from, size - 1);
  };
  EXPECT_EQ(check_copy(short_of_one), "the copy of 1 bytes differs");
  const auto words = [](char* to, const char* from, std::size_t size) {
    std::memcpy(to, from, size);
    to[size] = 0;
  };
  EXPECT_EQ(check_copy(words), "writes outside its 0 bytes");
  const auto not_at_all = [](char*, const char*, std::size_t) {};
  EXPECT_TRUE(check_copy(not_at_all).has_value());
}

TEST(CopyBuffer, BeginsWhereItIsTold) {
  const Buffer buffer(10, 67);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % page_bytes, 67U);
}

}  // namespace
}  // namespace assay::primitives
