// Every plug-in that was built must follow tree_api.hpp; it is compared with a std::map.
#include <assay/index/plugin_library.hpp>
#include <assay/index/plugins/conformance.hpp>
#include <assay/testing/temporary_folder.hpp>

#include <sys/resource.h>

#include <atomic>
#include <barrier>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <thread>
#include <tuple>

namespace assay::index {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20U;

bool keeps_files(const std::string& plugin) {
  return plugin != "stlmap" && plugin != "absl_btree" && plugin != "flat_map";
}

/// `flat_map` is the example plug-in of the guide; it is tested like the others.
std::string path_of(const std::string& plugin) {
  const bool is_example = plugin == "flat_map";
  return std::string(is_example ? ASSAY_EXAMPLES_DIR : ASSAY_PLUGIN_DIR) + "/lib" + plugin + ".so";
}

std::vector<std::string> plugins(bool (*wanted)(const std::string&)) {
  std::istringstream names(ASSAY_INDEX_PLUGINS);
  std::vector<std::string> found;
  for (std::string name; names >> name;) {
    if (name != "dummy" && wanted(name)) found.push_back(name);
  }
  return found;
}
std::vector<std::string> all_plugins() {
  return plugins([](const std::string&) { return true; });
}
std::vector<std::string> plugins_with_files() {
  return plugins(keeps_files);
}

/// Turns off waiting for the disk, which would take minutes here and is tested by the durability
/// check.
void do_not_wait_for_the_disk() {
  for (const char* const variable :
       {"ASSAY_LEVELDB_SYNC", "ASSAY_ROCKSDB_SYNC", "ASSAY_LMDB_SYNC", "ASSAY_SQLITE_SYNC"}) {
    setenv(variable, "0", 1);
  }
  setenv("PMEM_IS_PMEM_FORCE", "1", 1);  // set before libpmem is loaded, which reads it then
}

Result<std::unique_ptr<tree_api>> make_tree(const std::string& plugin,
                                            const tree_options_t& options) {
  do_not_wait_for_the_disk();
  const auto library = PluginLibrary::open(path_of(plugin));
  if (!library) return library.error();
  return library->create(options);
}

std::unique_ptr<tree_api> open_tree(const std::string& plugin, const tree_options_t& options) {
  auto tree = make_tree(plugin, options);
  EXPECT_TRUE(tree) << tree.error().line();
  return tree ? std::move(tree).value() : nullptr;
}

tree_options_t options_in(const TemporaryFolder& folder, const RecordPlan& plan,
                          std::size_t threads) {
  return {.key_size = plan.key_size,
          .value_size = plan.value_size,
          .pool_path = (folder.path() / "pool").string(),
          .pool_size = 64 * megabyte,
          .num_threads = threads};
}

// ---- one thread -------------------------------------------------------------------------------

using Shape = std::tuple<std::string, std::size_t, std::size_t>;
class EveryPlugin : public testing::TestWithParam<Shape> {};
class EveryKeySize : public EveryPlugin {};  // runs with values of 8 bytes only

TEST_P(EveryPlugin, DoesWhatAMapDoes) {
  const auto& [plugin, key_size, value_size] = GetParam();
  const TemporaryFolder folder;
  const RecordPlan plan{.key_size = key_size, .value_size = value_size};
  const auto tree = open_tree(plugin, options_in(folder, plan, 1));
  ASSERT_NE(tree, nullptr);
  ModelledTree pair(*tree, plan, key_size);
  for (int n = 0; n < 3'000; ++n) {
    pair.step();
    if (n % 10 == 0) pair.scan();
  }
  EXPECT_GT(pair.model().size(), 50U);
  pair.expect_same();
}

/// Checks that removing records does not free memory that the structure still uses.
TEST_P(EveryKeySize, MayBeEmptiedAndFilledAgain) {
  const auto& [plugin, key_size, value_size] = GetParam();
  const TemporaryFolder folder;
  const RecordPlan plan{.key_size = key_size, .value_size = value_size, .keys = 3'000};
  const auto tree = open_tree(plugin, options_in(folder, plan, 1));
  ASSERT_NE(tree, nullptr);
  ModelledTree pair(*tree, plan, key_size);
  for (std::uint64_t id = 0; id < 2'000; ++id) pair.insert(key_of(id, key_size), "12345678");
  for (std::uint64_t id = 10; id < 2'000; ++id) pair.remove(key_of(id, key_size));
  pair.expect_same();
  for (std::uint64_t id = 1'000; id < 3'000; ++id) pair.insert(key_of(id, key_size), "87654321");
  pair.expect_same();
}

std::string shape_name(const testing::TestParamInfo<Shape>& shape) {
  return std::get<0>(shape.param) + "_" + std::to_string(std::get<1>(shape.param)) + "_" +
         std::to_string(std::get<2>(shape.param));
}

INSTANTIATE_TEST_SUITE_P(Plugins, EveryPlugin,
                         testing::Combine(testing::ValuesIn(all_plugins()),
                                          testing::Values(4, 8, 16, 100), testing::Values(8, 1000)),
                         shape_name);
INSTANTIATE_TEST_SUITE_P(Plugins, EveryKeySize,
                         testing::Combine(testing::ValuesIn(all_plugins()),
                                          testing::Values(4, 8, 16, 100), testing::Values(8)),
                         shape_name);

// ---- several threads --------------------------------------------------------------------------

std::string name_of(const testing::TestParamInfo<std::string>& plugin) {
  return plugin.param;
}

class Parallel : public testing::TestWithParam<std::string> {};

// How many keys to insert; fewer where an insert is slow: some plug-ins write to a disk, and
// flat_map moves every later record.
std::size_t many_keys(const std::string& plugin) {
  if (keeps_files(plugin)) return 500;
  return plugin == "flat_map" ? 2'000 : 8'000;
}

TEST_P(Parallel, ThreadsDoNotDisturbEachOther) {
  constexpr std::size_t thread_count = 4;
  const TemporaryFolder folder;
  const RecordPlan plan{.keys = many_keys(GetParam()), .stride = thread_count};
  const auto tree = open_tree(GetParam(), options_in(folder, plan, thread_count));
  ASSERT_NE(tree, nullptr);
  std::vector<ModelledTree> pairs;
  for (std::uint64_t first = 0; first < thread_count; ++first) {
    RecordPlan own = plan;
    own.first = first;
    pairs.emplace_back(*tree, own, first);
  }
  std::vector<std::thread> threads;
  for (ModelledTree& pair : pairs) {
    threads.emplace_back([&pair, steps = 4 * plan.keys] {
      for (std::uint64_t n = 0; n < steps; ++n) pair.step();
    });
  }
  for (std::thread& thread : threads) thread.join();
  ModelledTree all(*tree, {.keys = thread_count * plan.keys}, 0);
  for (const ModelledTree& pair : pairs) all.adopt(pair.model());
  all.expect_same();
}

/// All threads insert the same keys at the same time, then remove them: for each key exactly one
/// thread must succeed.
TEST_P(Parallel, OneThreadInsertsAKeyAndOneRemovesIt) {
  constexpr std::uint64_t keys = 2'000;
  const TemporaryFolder folder;
  const auto tree = open_tree(GetParam(), options_in(folder, {}, 4));
  ASSERT_NE(tree, nullptr);
  const std::string value(8, 'v');
  std::atomic<std::uint64_t> inserted{0};
  std::atomic<std::uint64_t> removed{0};
  std::barrier all_inserted(4);
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&] {
      for (std::uint64_t id = 0; id < keys; ++id) {
        inserted += tree->insert(key_of(id, 8).data(), 8, value.data(), 8) ? 1 : 0;
      }
      all_inserted.arrive_and_wait();
      for (std::uint64_t id = 0; id < keys; ++id) {
        removed += tree->remove(key_of(id, 8).data(), 8) ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(inserted, keys);
  EXPECT_EQ(removed, keys);
}

/// Another thread changes records during the scan; even so each record must come whole and in
/// order.
TEST_P(Parallel, AScanSeesWholeRecordsInOrder) {
  const TemporaryFolder folder;
  const RecordPlan plan{.keys = 400};
  const auto tree = open_tree(GetParam(), options_in(folder, plan, 2));
  ASSERT_NE(tree, nullptr);
  std::atomic<bool> done{false};
  std::thread writer([&] {
    ModelledTree pair(*tree, plan, 1);
    for (int n = 0; n < 4'000; ++n) {
      const std::string key = key_of(static_cast<std::uint64_t>(n) * 7 % 400, 8);
      n % 3 == 0 ? pair.remove(key) : pair.insert(key, key);
      pair.update(key, key);
    }
    done = true;
  });
  int scans = 0;
  while (!done || scans == 0) {
    char* found = nullptr;
    const std::string from(8, '\0');
    const int records = tree->scan(from.data(), 8, 400, found);
    std::string before;
    for (int at = 0; at < records; ++at, ++scans) {
      const std::string key(found + 16 * at, 8);
      EXPECT_EQ(std::string(found + 16 * at + 8, 8), key);
      EXPECT_TRUE(before.empty() || before < key);
      before = key;
    }
  }
  writer.join();
}

INSTANTIATE_TEST_SUITE_P(Plugins, Parallel, testing::ValuesIn(all_plugins()), name_of);

// ---- files ------------------------------------------------------------------------------------

class Persistent : public testing::TestWithParam<std::string> {};

TEST_P(Persistent, HoldsTheSameWhenOpenedAgainAndInACopy) {
  const TemporaryFolder folder;
  const RecordPlan plan{.key_size = 16, .value_size = 100, .keys = 1'000};
  tree_options_t options = options_in(folder, plan, 1);
  auto tree = open_tree(GetParam(), options);
  ASSERT_NE(tree, nullptr);
  ModelledTree pair(*tree, plan, 3);
  for (int n = 0; n < 3'000; ++n) pair.step();
  tree.reset();
  const std::string copy = (folder.path() / "copy").string();
  std::filesystem::copy(options.pool_path, copy, std::filesystem::copy_options::recursive);
  for (const std::string& path : {options.pool_path, copy}) {
    options.pool_path = path;
    const auto again = open_tree(GetParam(), options);
    ASSERT_NE(again, nullptr) << path;
    pair.use(*again);
    pair.expect_same();
  }
}

TEST_P(Persistent, SaysWhyItCannotBeMade) {
  const TemporaryFolder folder;
  folder.write("file", "nothing of a plug-in");
  const std::string file = (folder.path() / "file").string();
  tree_options_t options = options_in(folder, {}, 1);
  for (const std::string& path : {std::string(), file + "/below"}) {
    options.pool_path = path;
    testing::internal::CaptureStderr();
    const auto tree = make_tree(GetParam(), options);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_FALSE(tree);
    EXPECT_NE(said.find("--pool_path"), std::string::npos) << said;
    EXPECT_TRUE(path.empty() || said.find(file) != std::string::npos) << said;
  }
}

TEST_P(Persistent, AFileOfSomebodyElseIsRefusedAndKept) {
  const TemporaryFolder folder;
  folder.write("pool", std::string(100'000, 'x'));
  testing::internal::CaptureStderr();
  EXPECT_FALSE(make_tree(GetParam(), options_in(folder, {}, 1)));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("pool"), std::string::npos);
  EXPECT_EQ(std::filesystem::file_size(folder.path() / "pool"), 100'000U);
}

/// Inserts while files may not grow beyond a limit, which fails like a full disk. Ends the process,
/// with exit code 0 if an insert was refused and the first record is still there.
[[noreturn]] void insert_until_refused(const std::string& plugin, tree_options_t options) {
  constexpr int more_than_fits = 40'000;
  auto tree = open_tree(plugin, options);
  if (tree == nullptr) std::_Exit(3);
  const rlimit limit{.rlim_cur = 2 * megabyte, .rlim_max = 2 * megabyte};
  std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &limit);
  const std::string value(options.value_size, 'v');
  int inserted = 0;
  for (; inserted < more_than_fits; ++inserted) {
    const std::string key = key_of(static_cast<std::uint64_t>(inserted), 8);
    if (!tree->insert(key.data(), 8, value.data(), value.size())) break;
  }
  const std::string first = key_of(0, 8);
  std::string found(options.value_size, '\0');
  const bool kept = tree->find(first.data(), 8, found.data()) && found == value;
  // The pool's folder belongs to this process alone, and _Exit would leave it.
  std::error_code ignored;
  std::filesystem::remove_all(std::filesystem::path(options.pool_path).parent_path(), ignored);
  std::_Exit(inserted > 0 && inserted < more_than_fits && kept ? 0 : 1);
}

TEST_P(Persistent, AFullPoolOrDiskIsSaidAndNothingIsLost) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const TemporaryFolder folder;
  tree_options_t options = options_in(folder, {.value_size = 1'000}, 1);
  options.pool_size = 16 * megabyte;
  EXPECT_EXIT(insert_until_refused(GetParam(), options), testing::ExitedWithCode(0),
              GetParam() + ": .*operations that fail so return false");
}

INSTANTIATE_TEST_SUITE_P(Plugins, Persistent, testing::ValuesIn(plugins_with_files()), name_of);

TEST(PmemBtree, APoolForOtherSizesIsRefused) {
  if (plugins([](const std::string& name) { return name == "pmem_btree"; }).empty()) {
    GTEST_SKIP() << "pmem_btree was not built";
  }
  const TemporaryFolder folder;
  ASSERT_NE(open_tree("pmem_btree", options_in(folder, {}, 1)), nullptr);
  testing::internal::CaptureStderr();
  EXPECT_FALSE(make_tree("pmem_btree", options_in(folder, {.key_size = 16}, 1)));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("made for keys of 8 bytes"),
            std::string::npos);
}

TEST(Settings, OnlyZeroAndOneAreTaken) {
  if (plugins([](const std::string& name) { return name == "lmdb"; }).empty()) {
    GTEST_SKIP() << "lmdb was not built";
  }
  const TemporaryFolder folder;
  const auto library = PluginLibrary::open(path_of("lmdb"));
  ASSERT_TRUE(library);
  setenv("ASSAY_LMDB_SYNC", "off", 1);
  testing::internal::CaptureStderr();
  EXPECT_FALSE(library->create(options_in(folder, {}, 1)));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("ASSAY_LMDB_SYNC"), std::string::npos);
  unsetenv("ASSAY_LMDB_SYNC");
}

}  // namespace
}  // namespace assay::index
