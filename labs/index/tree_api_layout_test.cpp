// The layout that plug-ins built elsewhere rely on, as numbers: a change of any of them breaks
// every existing plug-in. labs/index/tests/foreign_tree.cpp is one built without our header.
#include <assay/index/tree_api.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace {

#if defined(__GLIBCXX__) && defined(__LP64__)
static_assert(sizeof(std::string) == 32);
static_assert(offsetof(tree_options_t, key_size) == 0);
static_assert(offsetof(tree_options_t, value_size) == 8);
static_assert(offsetof(tree_options_t, pool_path) == 16);
static_assert(offsetof(tree_options_t, pool_size) == 48);
static_assert(offsetof(tree_options_t, num_threads) == 56);
static_assert(sizeof(tree_options_t) == 64);
static_assert(sizeof(tree_api) == sizeof(void*));
#endif
static_assert(std::has_virtual_destructor_v<tree_api>);
static_assert(std::is_abstract_v<tree_api>);

TEST(TreeApi, OptionsBeginAsPiBenchsDo) {
  const tree_options_t options;
  EXPECT_EQ(options.key_size, 8U);
  EXPECT_EQ(options.value_size, 8U);
  EXPECT_EQ(options.pool_path, "");
  EXPECT_EQ(options.pool_size, 0U);
  EXPECT_EQ(options.num_threads, 1U);
}

class Telling final : public tree_api {
 public:
  bool find(const char* /*key*/, std::size_t /*size*/, char* /*out*/) override {
    return say("find");
  }
  bool insert(const char* /*key*/, std::size_t /*size*/, const char* /*value*/,
              std::size_t /*value_size*/) override {
    return say("insert");
  }
  bool update(const char* /*key*/, std::size_t /*size*/, const char* /*value*/,
              std::size_t /*value_size*/) override {
    return say("update");
  }
  bool remove(const char* /*key*/, std::size_t /*size*/) override { return say("remove"); }
  int scan(const char* /*key*/, std::size_t /*size*/, int /*scan_size*/,
           char*& /*values_out*/) override {
    return say("scan") ? 1 : 0;
  }

  std::string said{};

 private:
  bool say(const char* what) {
    said = what;
    return true;
  }
};

/// In the Itanium C++ ABI a virtual function table has two entries for the destructor, then the
/// functions in the order of declaration. The test calls each by its place, as compiled callers do.
TEST(TreeApi, FunctionsAreInPiBenchsOrder) {
  Telling tree;
  tree_api* const base = &tree;
  void** table = nullptr;
  std::memcpy(&table, static_cast<void*>(base), sizeof table);
  const auto call = [&](std::size_t place) {
    void* entry = table[place];
    bool (*function)(tree_api*, const char*, std::size_t, char*, std::size_t) = nullptr;
    std::memcpy(&function, &entry, sizeof function);
    function(base, "", 0, nullptr, 0);
    return tree.said;
  };
  EXPECT_EQ(call(2), "find");
  EXPECT_EQ(call(3), "insert");
  EXPECT_EQ(call(4), "update");
  EXPECT_EQ(call(5), "remove");
}

}  // namespace
