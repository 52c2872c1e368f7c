#include <assay/index/plugin_library.hpp>

#include <assay/record/temporary_folder.hpp>

#include <gtest/gtest.h>

#include <string>

namespace assay::index {
namespace {

const std::string fixtures = ASSAY_FIXTURE_DIR;

TEST(PluginLibrary, LoadsAPluginAndCreatesItsTree) {
  const auto library = PluginLibrary::open(fixtures + "/libfaulty_tree.so");
  ASSERT_TRUE(library.ok()) << library.error().line();
  const auto tree = library->create({});
  ASSERT_TRUE(tree.ok());
  EXPECT_TRUE(tree.value()->insert("k", 1, "v", 1));
  EXPECT_FALSE(tree.value()->insert("k", 1, "v", 1));
}

TEST(PluginLibrary, SaysWhatIsWrong) {
  const auto what = [](const std::string& plugin) {
    const auto library = PluginLibrary::open(plugin);
    return library ? "" : library.error().what;
  };
  EXPECT_EQ(what(fixtures + "/libno_create_tree.so"), "has no create_tree");
  EXPECT_EQ(what("/etc/passwd").find("cannot be loaded: "), 0U);
  EXPECT_EQ(what("/nonexistent/lib.so"), "no such file");
  EXPECT_EQ(what("nonexistent"), "no such plug-in and no such file");
  EXPECT_EQ(what("/tmp"), "is a directory, not a plug-in");
  EXPECT_EQ(what(""), "no plug-in named");
}

TEST(PluginLibrary, FindsBuiltPluginsByName) {
  const TemporaryFolder folder;
  folder.write("libone.so", "");
  folder.write("libtwo.so", "");
  EXPECT_EQ(resolve_plugin("one", folder.path()).value(), folder.path() / "libone.so");
  const auto missing = resolve_plugin("three", folder.path());
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().hint, "built here: one, two");
  EXPECT_FALSE(resolve_plugin("./one", folder.path()).ok()) << "a path, not a name";
}

TEST(PluginLibrary, NamesPluginsByTheirFiles) {
  EXPECT_EQ(plugin_name("/a/libstlmap.so"), "stlmap");
  EXPECT_EQ(plugin_name("./stlmap_wrapper.so"), "stlmap_wrapper");
  EXPECT_EQ(plugin_name("lib.so"), "lib");
}

}  // namespace
}  // namespace assay::index
