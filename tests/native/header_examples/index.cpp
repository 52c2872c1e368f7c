// The examples of labs/index, its options and workload, line for line
// (tools/header_examples.py).
#include <assay/index/elf_symbols.hpp>
#include <assay/index/empty_tree.hpp>
#include <assay/index/openmp.hpp>
#include <assay/index/options_page.hpp>
#include <assay/index/plugin_interface.hpp>
#include <assay/index/plugin_library.hpp>
#include <assay/index/plugin_loading.hpp>
#include <assay/index/tree_api.hpp>
#include <assay/index/tree_classes.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace {

class Map final : public tree_api {
 public:
  explicit Map(const tree_options_t& options) : key_size_(options.key_size) {}
  bool find(const char* /*key*/, std::size_t key_size, char* /*value_out*/) override {
    return key_size == key_size_;
  }
  bool insert(const char*, std::size_t, const char*, std::size_t) override { return false; }
  bool update(const char*, std::size_t, const char*, std::size_t) override { return false; }
  bool remove(const char*, std::size_t) override { return false; }
  int scan(const char*, std::size_t, int, char*&) override { return 0; }

 private:
  std::size_t key_size_;
};

}  // namespace

extern "C" tree_api* create_tree(const tree_options_t& options) {
  return new Map(options);
}

namespace assay::index {
namespace {

std::vector<std::string> printed;
void print(const std::string& line) {
  printed.push_back(line);
}

TEST(HeaderExamples, TreeApi) {
  const std::unique_ptr<tree_api> tree(create_tree(tree_options_t{}));
  EXPECT_FALSE(tree->find("key", 3, nullptr));
}

TEST(HeaderExamples, ElfSymbols) {
  for (const ElfSymbol& symbol : elf_symbols("libtree.so")) print(symbol.name);

  EXPECT_TRUE(printed.empty()) << "there is no such file";
}

TEST(HeaderExamples, EmptyTree) {
  const auto tree = assay::index::make_empty_tree();

  EXPECT_TRUE(tree->remove("key", 3));
}

void openmp_example(std::uint32_t threads, const std::function<void(std::uint32_t)>& work) {
  if (run_by_openmp(threads, work)) return;  // else start threads of one's own

  for (std::uint32_t thread = 0; thread < threads; ++thread) work(thread);
}

TEST(HeaderExamples, OpenMp) {
  std::uint32_t called = 0;
  openmp_example(1, [&](std::uint32_t /*thread*/) { ++called; });
  EXPECT_EQ(called, 1U);
}

TEST(HeaderExamples, OptionsPage) {
  const tree_options_t options{};
  std::unique_ptr<tree_api> tree;

  const auto page = OptionsPage::make();
  tree.reset(create_tree((*page)->put(options)));
  const std::string warning = (*page)->warning();  // empty: nothing was read beyond

  EXPECT_EQ(warning, "");
}

Status plugin_interface_example(const std::filesystem::path& path, void* handle) {
  const PluginInterface seen = interface_of(path, handle);
  if (seen.error) return *seen.error;  // calling it would call other functions

  return {};
}

Status plugin_loading_example(const std::filesystem::path& path) {
  const auto handle = load_plugin(path);
  if (!handle) return handle.error();

  return plugin_interface_example(path, *handle);
}

TEST(HeaderExamples, PluginLoadingAndInterface) {
  EXPECT_FALSE(plugin_loading_example("./no_such_plugin.so"));
}

Status plugin_library_example() {
  auto library = assay::index::PluginLibrary::open("stlmap");  // or ./path/to/lib.so
  if (!library) return library.error();
  auto tree = library->create(tree_options_t{});

  return tree ? Status() : tree.error();
}

TEST(HeaderExamples, PluginLibrary) {
  EXPECT_FALSE(plugin_library_example()) << "no plug-ins beside this program";
}

TEST(HeaderExamples, TreeClasses) {
  const std::vector<ElfSymbol> symbols;
  const std::uintptr_t base = 0;

  for (const TreeClass& tree : tree_classes(symbols, base)) {     // those derived from tree_api
    if (const auto other = other_interface(tree)) print(*other);  // "bulk_load, find, ..."
  }

  EXPECT_TRUE(printed.empty());
}

}  // namespace
}  // namespace assay::index
