#include <assay/index/workload/key_maker.hpp>

#include <assay/testing/temporary_folder.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace assay::index {
namespace {

std::string key_of(const KeyMaker& maker, std::uint64_t id) {
  KeyBlock block(maker);
  const std::array<std::uint64_t, 1> ids{id};
  block.write(ids);
  return {block.key(0), block.size(0)};
}

KeyMaker maker(std::uint32_t size, KeyOrder order = KeyOrder::hashed, std::string prefix = "") {
  return {{.prefix = std::move(prefix), .size = size, .order = order, .file = ""}, nullptr};
}

TEST(KeyMaker, EveryKeyOfOneAndTwoBytesOnce) {
  for (const KeyOrder order : {KeyOrder::hashed, KeyOrder::ordered}) {
    for (const std::uint32_t size : {1U, 2U}) {
      const KeyMaker keys = maker(size, order);
      std::set<std::string> seen;
      for (std::uint64_t id = 0; id < keys.count(); ++id) seen.insert(key_of(keys, id));
      EXPECT_EQ(seen.size(), keys.count());
    }
  }
}

TEST(KeyMaker, CountsKeysBySize) {
  EXPECT_EQ(maker(1).count(), 256U);
  EXPECT_EQ(maker(7).count(), std::uint64_t{1} << 56U);
  EXPECT_EQ(maker(8).count(), ~std::uint64_t{0});
  EXPECT_EQ(maker(1024).count(), ~std::uint64_t{0});
}

TEST(KeyMaker, TheNumberComesBack) {
  for (const KeyOrder order : {KeyOrder::hashed, KeyOrder::ordered}) {
    for (const std::uint32_t size : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 16U, 1024U}) {
      const KeyMaker keys = maker(size, order, size < 1000 ? "user" : "");
      for (const std::uint64_t id : {0ULL, 1ULL, 77ULL, 255ULL}) {
        EXPECT_EQ(keys.id_of(key_of(keys, id).data()), id) << size;
      }
    }
  }
}

TEST(KeyMaker, OrderedKeysAscend) {
  const KeyMaker keys = maker(12, KeyOrder::ordered, "p");
  for (const std::uint64_t id : {0ULL, 1ULL, 255ULL, 256ULL, 65'535ULL, 1ULL << 40U}) {
    EXPECT_LT(key_of(keys, id), key_of(keys, id + 1));
  }
}

TEST(KeyMaker, HashedKeysAreScattered) {
  const KeyMaker keys = maker(8);
  int ascents = 0;
  for (std::uint64_t id = 0; id < 1000; ++id) {
    ascents += key_of(keys, id) < key_of(keys, id + 1) ? 1 : 0;
  }
  EXPECT_GT(ascents, 300);
  EXPECT_LT(ascents, 700);
}

TEST(KeyMaker, HasThePrefixAndTheSizeAskedFor) {
  for (const std::uint32_t size : {1U, 4U, 8U, 20U, 1000U}) {
    const std::string key = key_of(maker(size, KeyOrder::hashed, "prefix"), 200);
    EXPECT_EQ(key.size(), 6 + size);
    EXPECT_EQ(key.substr(0, 6), "prefix");
  }
}

TEST(KeyMaker, EveryKeyOfABlockHasThePrefix) {
  const KeyMaker keys = maker(8, KeyOrder::ordered, "abc");
  KeyBlock block(keys);
  std::vector<std::uint64_t> ids(block.capacity());
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = i;
  block.write(ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    EXPECT_EQ(std::string(block.key(i), block.size(i)), key_of(keys, i));
  }
}

class KeyFileTest : public testing::Test {
 protected:
  std::string file(const std::string& text) {
    const auto path = folder_.path() / "keys";
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }

  TemporaryFolder folder_;
};

TEST_F(KeyFileTest, GivesItsLinesAsKeys) {
  const auto keys = KeyFile::read(file("one\nthree\r\nfour"), "p-");
  ASSERT_TRUE(keys.ok()) << keys.error().line();
  EXPECT_EQ(keys->size(), 3U);
  EXPECT_EQ((*keys)[0], "p-one");
  EXPECT_EQ((*keys)[1], "p-three");
  EXPECT_FALSE(keys->has_one_length());
  const KeyMaker maker({}, &*keys);
  EXPECT_EQ(maker.count(), 3U);
  EXPECT_EQ(maker.bytes(), 7U);
  EXPECT_EQ(key_of(maker, 2), "p-four");
}

TEST_F(KeyFileTest, SaysWhichLineIsWrong) {
  const auto said = [this](const std::string& text) {
    const auto keys = KeyFile::read(file(text), "");
    return keys ? "" : keys.error().what;
  };
  EXPECT_EQ(said("a\nb\na\n"), "line 3 repeats line 1");
  EXPECT_EQ(said("a\n\nb\n"), "line 2 is empty: every line is a key");
  EXPECT_EQ(said(std::string(1025, 'x')), "line 1 has more than 1024 bytes");
  EXPECT_EQ(said(""), "holds no keys");
  EXPECT_FALSE(KeyFile::read("/nonexistent/keys", "").ok());
}

}  // namespace
}  // namespace assay::index
