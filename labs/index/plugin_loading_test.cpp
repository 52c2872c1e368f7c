#include <assay/index/plugin_loading.hpp>

#include <gtest/gtest.h>

#include <string>

namespace assay::index {
namespace {

const std::string fixtures = ASSAY_FIXTURE_DIR;

TEST(PluginLoading, FindsTheSymbolThatIsMissing) {
  EXPECT_EQ(missing_symbol("undefined symbol: omp_get_thread_num"), "omp_get_thread_num");
  EXPECT_EQ(missing_symbol("undefined symbol: a_function, version V1"), "a_function");
  EXPECT_EQ(missing_symbol("invalid ELF header"), "");
}

TEST(PluginLoading, KnowsWhatPiBenchIsLinkedWith) {
  EXPECT_EQ(library_with("omp_get_thread_num"), "libgomp.so.1");
  EXPECT_EQ(library_with("GOMP_parallel"), "libgomp.so.1");
  EXPECT_EQ(library_with("__kmpc_fork_call"), "libomp.so.5");
  EXPECT_EQ(library_with("numa_alloc_onnode"), "libnuma.so.1");
  EXPECT_EQ(library_with("compute"), "");
}

TEST(PluginLoading, BringsOpenMpAlong) {
  const auto handle = load_plugin(fixtures + "/libopenmp_tree.so");
  EXPECT_TRUE(handle.ok()) << handle.error().line();
}

TEST(PluginLoading, SaysHowToBringAnotherLibraryAlong) {
  const auto handle = load_plugin(fixtures + "/libneedy_tree.so");
  ASSERT_FALSE(handle.ok());
  EXPECT_EQ(handle.error().what, "cannot be loaded: undefined symbol: nobody_defines_this");
  EXPECT_NE(handle.error().hint.find("LD_PRELOAD=LIBRARY.so assay index"), std::string::npos);
}

}  // namespace
}  // namespace assay::index
