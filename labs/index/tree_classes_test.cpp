#include <assay/index/tree_classes.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace assay::index {
namespace {

const std::string find = "find(char const*, unsigned long, char*)";
const std::string insert = "insert(char const*, unsigned long, char const*, unsigned long)";
const std::string update = "update(char const*, unsigned long, char const*, unsigned long)";
const std::string remove = "remove(char const*, unsigned long)";
const std::string scan = "scan(char const*, unsigned long, int, char*&)";

TreeClass with(const std::vector<std::string>& functions) {
  TreeClass tree{.name = "Map", .table = {{"~Map()"}, {"~Map()"}}};
  for (const std::string& function : functions) tree.table.push_back({function});
  return tree;
}

TEST(TreeClasses, TakesPiBenchsInterface) {
  const TreeClass tree = with({find, insert, update, remove, scan});
  EXPECT_FALSE(other_interface(tree));
  EXPECT_EQ(functions_never_called(tree), "");
}

TEST(TreeClasses, TakesFunctionsOfOneBodyAndUnnamedOnes) {
  TreeClass tree = with({find, insert, update, remove, scan});
  tree.table[3] = {update, insert};
  tree.table[6] = {};
  EXPECT_FALSE(other_interface(tree));
}

TEST(TreeClasses, NamesWhatComesAfterwards) {
  const TreeClass tree = with({find, insert, update, remove, scan, "get_size()"});
  EXPECT_FALSE(other_interface(tree));
  EXPECT_EQ(functions_never_called(tree), "get_size");
}

TEST(TreeClasses, SeesAFunctionBeforeTheOthers) {
  const TreeClass tree = with({"bulk_load(char const*)", find, insert, update, remove, scan});
  EXPECT_EQ(other_interface(tree).value_or(""), "bulk_load, find, insert, update, remove, scan");
}

TEST(TreeClasses, SeesFewerFunctionsAndNoDestructor) {
  EXPECT_EQ(other_interface(with({find, insert, update, remove})).value_or(""),
            "find, insert, update, remove");
  TreeClass tree = with({find, insert, update, remove, scan});
  tree.table.erase(tree.table.begin(), tree.table.begin() + 2);
  tree.table.resize(8);
  EXPECT_TRUE(other_interface(tree));
}

TEST(TreeClasses, ShowsParametersWhereOnlyTheyDiffer) {
  const std::string other = "scan(char const*, unsigned long, int, char**)";
  const auto functions = other_interface(with({find, insert, update, remove, other}));
  EXPECT_NE(functions.value_or("").find(other), std::string::npos);
}

TEST(TreeClasses, CutsTheClassOffAName) {
  EXPECT_EQ(without_class("(anonymous namespace)::Map<int (*)(A::B)>::find(A::B, char (*)[2])"),
            "find(A::B, char (*)[2])");
  EXPECT_EQ(without_class("Map::~Map()"), "~Map()");
  EXPECT_EQ(without_class("__cxa_pure_virtual"), "__cxa_pure_virtual");
}

}  // namespace
}  // namespace assay::index
