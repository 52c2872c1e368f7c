#include <assay/index/plugin_library.hpp>

#include <assay/testing/temporary_folder.hpp>

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
  EXPECT_EQ(what(fixtures + "/libmangled_tree.so"), "has create_tree, but not as extern \"C\"");
  EXPECT_EQ(what("/etc/passwd").find("cannot be loaded: "), 0U);
  EXPECT_EQ(what("/nonexistent/lib.so"), "no such file");
  EXPECT_EQ(what("nonexistent"), "no such plug-in and no such file");
  EXPECT_EQ(what("/tmp"), "is a directory, not a plug-in");
  EXPECT_EQ(what(""), "no plug-in named");
}

TEST(PluginLibrary, RefusesAnotherInterface) {
  const auto library = PluginLibrary::open(fixtures + "/libextended_tree.so");
  ASSERT_FALSE(library.ok());
  EXPECT_EQ(library.error().what,
            "is built for another interface: the functions of its class ExtendedTree are, in this "
            "order, bulk_load, find, insert, update, remove, scan, get_size (that of PiBench's "
            "branches bulk-loading, tls-cleanup and optiql begins so); PiBench's are find, insert, "
            "update, remove, scan");
}

TEST(PluginLibrary, TakesALongerInterfaceAndSaysWhatIsNotCalled) {
  const auto page = OptionsPage::make();
  ASSERT_TRUE(page.ok());
  const auto library = PluginLibrary::open(fixtures + "/liblonger_tree.so", *page);
  ASSERT_TRUE(library.ok()) << library.error().line();
  EXPECT_NE(library->hint().find("(get_size), which are never called"), std::string::npos);
  EXPECT_EQ((*page)->warning(), "");
  ASSERT_TRUE(library->create({}).ok());
  EXPECT_NE((*page)->warning(), "");
}

TEST(PluginLibrary, HasNothingToSayOfPiBenchsInterface) {
  for (const std::string name : {"faulty_tree", "foreign_tree"}) {
    const auto page = OptionsPage::make();
    ASSERT_TRUE(page.ok());
    std::string file = fixtures;
    file += "/lib" + name + ".so";
    const auto library = PluginLibrary::open(file, *page);
    ASSERT_TRUE(library.ok()) << library.error().line();
    EXPECT_EQ(library->warning() + library->hint(), "") << name;
    static_cast<void>(library->create({}));
    EXPECT_EQ((*page)->warning(), "") << name;
  }
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
