// The contract with Python: what an executable writes today has the shape of the golden
// files, which the Python tests read too. Values differ from host to host, keys do not.
#include <assay/measure/allocations/allocation_hooks.hpp>
#include <assay/testing/temporary_folder.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace assay {
namespace {

using nlohmann::json;

json read_json(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return json::parse(stream);
}

json golden(const std::string& name) {
  return read_json(std::filesystem::path(ASSAY_GOLDEN_DIR) / name);
}

/// The JSON that bridge_fixture, which has unusual rows, writes with the present code.
json current_output() {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "out.json").string();
  const std::string command = ASSAY_FIXTURE_DIR "/bridge_fixture --benchmark_min_time=0.001 ";
  const int status =
      std::system((command + "--benchmark_out=" + file + " >/dev/null 2>&1").c_str());
  EXPECT_EQ(status, 0);
  return read_json(file);
}

std::set<std::string> keys(const json& object) {
  std::set<std::string> names;
  for (const auto& [name, value] : object.items()) names.insert(name);
  return names;
}

TEST(Golden, FilesAreOfTheVersionWeWrite) {
  const json now = current_output()["context"]["assay"]["schema"];
  EXPECT_EQ(golden("native_odd_rows.json")["context"]["assay"]["schema"], now);
  EXPECT_EQ(golden("native_copy_element.json")["context"]["assay"]["schema"], now);
}

TEST(Golden, ContextHasTheKeysWeWrite) {
  const json then = golden("native_odd_rows.json")["context"]["assay"];
  const json now = current_output()["context"]["assay"];
  for (const char* const key : {"schema", "tool", "host", "build", "clock", "allocations"}) {
    EXPECT_TRUE(then.contains(key) && now.contains(key)) << key;
  }
  EXPECT_EQ(keys(then["build"]), keys(now["build"]));
  EXPECT_EQ(keys(then["clock"]), keys(now["clock"]));
}

TEST(Golden, RowsHaveTheNamesAndKeysWeWrite) {
  if (!hooks::compiled_in()) GTEST_SKIP() << hooks::why_not();
  const json then = golden("native_odd_rows.json")["benchmarks"];
  const json now = current_output()["benchmarks"];
  ASSERT_EQ(then.size(), now.size());
  for (std::size_t i = 0; i < then.size(); ++i) {
    EXPECT_EQ(then[i]["name"], now[i]["name"]);
    EXPECT_EQ(keys(then[i]), keys(now[i])) << then[i]["name"];
    const json memory_then = then[i].value("/assay/memory"_json_pointer, json::object());
    const json memory_now = now[i].value("/assay/memory"_json_pointer, json::object());
    EXPECT_EQ(keys(memory_then), keys(memory_now)) << then[i]["name"];
  }
}

TEST(Golden, TheWorkedExampleShowsItsReallocations) {
  int seen = 0;
  const json whole = golden("native_copy_element.json");
  for (const json& row : whole["benchmarks"]) {
    if (row["name"] != "CopyElement/16") continue;
    ++seen;
    EXPECT_EQ(row["CallsToRealloc"], 16.0);
    EXPECT_EQ(row["assay"]["memory"]["reallocs"], 16.0);
    EXPECT_EQ(row["MemoryAllocated"], row["MemoryFreed"]);
  }
  EXPECT_EQ(seen, 1);
}

}  // namespace
}  // namespace assay
