// The bridge as its users see it: an executable with ASSAY_MAIN() and what it writes.
#include <assay/measure/allocations/allocation_hooks.hpp>
#include <assay/measure/counters/perf_group.hpp>
#include <assay/testing/temporary_folder.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace assay {
namespace {

using nlohmann::json;

const std::string fixture = ASSAY_FIXTURE_DIR "/bridge_fixture";
const std::string quick = " --benchmark_min_time=0.001 ";

std::string output_of(const std::string& command) {
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  std::string text;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    text.append(buffer.data(), n);
  }
  EXPECT_EQ(pclose(pipe), 0) << text;
  return text;
}

json json_file(const std::string& flags, const std::string& program = fixture) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "out.json").string();
  output_of(program + quick + "--benchmark_out=" + file + " " + flags);
  std::ifstream stream(file);
  return json::parse(stream);
}

json rows_named(const json& whole, const std::string& start) {
  json rows = json::array();
  for (const json& row : whole["benchmarks"]) {
    if (row["name"].get<std::string>().rfind(start, 0) == 0) rows.push_back(row);
  }
  return rows;
}

/// The JSON of one run of all benchmarks of the fixture, shared by the tests that only read it.
const json& whole_document() {
  static const json whole = json_file("");
  return whole;
}

const std::string counting_fixture = ASSAY_FIXTURE_DIR "/counting_fixture";

json counting_row(const std::string& name) {
  static const json whole = json_file("", counting_fixture);
  return rows_named(whole, name).at(0);
}

json row(const std::string& name) {
  const json rows = rows_named(whole_document(), name);
  EXPECT_FALSE(rows.empty()) << name;
  return rows.empty() ? json::object() : rows[0];
}

#define ASSAY_SKIP_IF_NOT_COUNTED \
  if (!hooks::compiled_in()) GTEST_SKIP() << hooks::why_not()

TEST(Bridge, KeepsGoogleBenchmarksKeys) {
  const json& context = whole_document()["context"];
  for (const char* const key : {"date", "executable", "num_cpus", "caches", "library_build_type"}) {
    EXPECT_TRUE(context.contains(key)) << key;
  }
  for (const char* const key :
       {"name", "family_index", "per_family_instance_index", "run_name", "run_type", "repetitions",
        "repetition_index", "threads", "iterations", "real_time", "cpu_time", "time_unit"}) {
    EXPECT_TRUE(row("allocates").contains(key)) << key;
  }
}

TEST(Bridge, AddsTheAssayContext) {
  const json& assay = whole_document()["context"]["assay"];
  EXPECT_EQ(assay["schema"], 1);
  EXPECT_TRUE(assay["build"].contains("compiler"));
  EXPECT_EQ(assay["allocations"]["counted"], hooks::compiled_in());
}

TEST(Bridge, ReportsTheMemoryPass) {
  ASSAY_SKIP_IF_NOT_COUNTED;
  const json found = row("allocates");
  const json& memory = found["assay"]["memory"];
  EXPECT_EQ(memory["allocs"], 3.0);
  EXPECT_EQ(memory["frees"], 3.0);
  EXPECT_EQ(memory["bytes"], 300.0);
  EXPECT_EQ(memory["leaked_bytes"], 0.0);
  EXPECT_EQ(memory["peak_bytes"], 104);  // glibc's rounding of 100
  EXPECT_EQ(memory["threads"], 1);
  for (const char* const key :
       {"allocs_per_iter", "max_bytes_used", "total_allocated_bytes", "net_heap_growth"}) {
    EXPECT_TRUE(found.contains(key)) << key;
  }
}

TEST(Bridge, ExactCountsOfTheTimedLoopTakePrecedence) {
  ASSAY_SKIP_IF_NOT_COUNTED;
  for (const char* const name : {"counts_exactly", "counts_exactly/threads:2"}) {
    const json found = row(name);
    EXPECT_EQ(found["CallsToAlloc"], 1.0) << name;
    EXPECT_EQ(found["CallsToRealloc"], 1.0) << name;
    EXPECT_EQ(found["CallsToFree"], 1.0) << name;
    EXPECT_EQ(found["MemoryAllocated"], 5010.0) << name;
    EXPECT_EQ(found["MemoryFreed"], 5010.0) << name;
    EXPECT_EQ(found["assay"]["memory"]["allocs"], 1.0) << name;
  }
  EXPECT_EQ(row("counts_exactly/threads:2")["assay"]["memory"]["threads"], 2);
}

TEST(Bridge, PartsOfALoopAreCountedInEachThread) {
  ASSAY_SKIP_IF_NOT_COUNTED;
  const json found = counting_row("counts_a_part");
  EXPECT_EQ(found["CallsToAlloc"], 1.0);
  EXPECT_EQ(found["MemoryAllocated"], 10.0);
  EXPECT_EQ(found["assay"]["memory"]["threads"], 2);
  EXPECT_EQ(found["assay"]["memory"]["counted"], "loop");
}

TEST(Bridge, TheMemoryPassSaysThatItIsOne) {
  ASSAY_SKIP_IF_NOT_COUNTED;
  const json memory = row("allocates")["assay"]["memory"];
  EXPECT_EQ(memory["counted"], "pass");
  EXPECT_EQ(memory["size_classes"], json({{"<128", 3.0}}));
}

TEST(Bridge, CountersAreThereOrHaveAReason) {
  for (const char* const name : {"counts_events", "counts_events/threads:2"}) {
    const json found = counting_row(name);
    std::set<std::string> reasons;
    for (const json& line : found["assay"]["unavailable"]) {
      const auto text = line.get<std::string>();
      EXPECT_EQ(text.find("finite"), std::string::npos) << text;
      reasons.insert(text.substr(0, text.find(": ")));
    }
    EXPECT_EQ(reasons.count("no-such-counter"), 1U);
    for (const char* const counter : {"task-clock", "page-faults", "cycles", "no-such-counter"}) {
      EXPECT_NE(found.contains(counter), reasons.count(counter) == 1) << counter;
    }
    EXPECT_GT(found.value("task-clock", 1.0), 0);
  }
}

TEST(Bridge, TheContextSaysWhyThereAreNoHardwareCounters) {
  bool says_so = false;
  for (const json& line : whole_document()["context"]["assay"]["unavailable"]) {
    says_so = says_so || line.get<std::string>().rfind("hardware counters: ", 0) == 0;
  }
  EXPECT_NE(says_so, hardware_counters_refused().empty());
}

TEST(Bridge, TheConsoleSaysNotAvailable) {
  const std::string text =
      output_of(counting_fixture + quick + "--benchmark_filter='^counts_events$'");
  EXPECT_NE(text.find("no-such-counter: not available"), std::string::npos) << text;
  EXPECT_NE(text.find("no-such-counter is not available: "), std::string::npos) << text;
  EXPECT_EQ(text.find("nan"), std::string::npos) << text;
}

TEST(Bridge, ShowsALeak) {
  ASSAY_SKIP_IF_NOT_COUNTED;
  EXPECT_EQ(row("leaks")["assay"]["memory"]["leaked_bytes"], 1000.0);
}

TEST(Bridge, RepetitionsEachHaveTheirMemory) {
  ASSAY_SKIP_IF_NOT_COUNTED;
  for (const std::string flags : {"", "--benchmark_enable_random_interleaving=true"}) {
    const json whole =
        json_file("--benchmark_repetitions=4 --benchmark_filter='^allocates$' " + flags);
    int iterations = 0;
    for (const json& found : rows_named(whole, "allocates")) {
      if (found["run_type"] != "iteration") {
        EXPECT_FALSE(found.contains("assay"));
        continue;
      }
      ++iterations;
      EXPECT_EQ(found["assay"]["memory"]["allocs"], 3.0);
    }
    EXPECT_EQ(iterations, 4);
  }
}

TEST(Bridge, MemoryGoesWithTheRightBenchmarkWhenRepetitionsAreShuffled) {
  ASSAY_SKIP_IF_NOT_COUNTED;
  const json whole = json_file(
      "--benchmark_repetitions=5 --benchmark_enable_random_interleaving=true "
      "--benchmark_filter='^allocates'");
  for (const json& found : whole["benchmarks"]) {
    if (found["run_type"] != "iteration") continue;
    const double expected = found["run_name"] == "allocates" ? 3 : 0;
    // Newer versions of the library copy a long name in each pass: 1/16 of an allocation.
    EXPECT_NEAR(found["assay"]["memory"]["allocs"].get<double>(), expected, 0.1) << found;
  }
}

TEST(Bridge, TheMemoryPassCanBeLeftOut) {
  const json whole = json_file("--benchmark_filter='^allocates$' --assay_memory_pass=off");
  EXPECT_FALSE(whole["benchmarks"][0].contains("assay"));
  EXPECT_FALSE(whole["benchmarks"][0].contains("allocs_per_iter"));
}

TEST(Bridge, KeepsSkippedBenchmarks) {
  const json found = row("skips");
  EXPECT_EQ(found["error_occurred"], true);
  EXPECT_EQ(found["error_message"], "no \"device\"\x02\n");
}

TEST(Bridge, WritesNoNumberThatJsonCannotHold) {
  const json found = row("odd_figures");
  EXPECT_FALSE(found.contains("nan"));
  EXPECT_FALSE(found.contains("inf"));
  EXPECT_EQ(found["odd \"name\"\x01"], 5.0);
  EXPECT_EQ(found["label"], "label \\ \"quoted\"\x03");
  EXPECT_EQ(row("endless_time")["error_occurred"], true);
  EXPECT_EQ(row("endless_time")["real_time"], 0.0);
}

TEST(Bridge, NamesSurvive) {
  EXPECT_EQ(rows_named(whole_document(), "odd \"name\" \\ \x01\x1f\t").size(), 1U);
  EXPECT_EQ(rows_named(whole_document(), "odd/\xc3\xbc<>").size(), 1U);
  EXPECT_EQ(rows_named(whole_document(), "odd \xef\xbf\xbd not UTF-8").size(), 1U);
}

TEST(Bridge, KeepsAggregatesAndComplexity) {
  std::set<std::string> names;
  for (const json& found : whole_document()["benchmarks"]) {
    names.insert(found.value("aggregate_name", ""));
  }
  for (const char* const name : {"mean", "median", "stddev", "cv", "BigO", "RMS"}) {
    EXPECT_EQ(names.count(name), 1U) << name;
  }
  EXPECT_EQ(row("quadratic_BigO")["run_name"], "quadratic");
}

TEST(Bridge, JsonOnStdoutIsTheSame) {
  const std::string command =
      fixture + quick + "--benchmark_format=json --benchmark_filter='^allocates$' 2>/dev/null";
  FILE* const pipe = popen(command.c_str(), "r");
  const json whole = json::parse(pipe);
  EXPECT_EQ(pclose(pipe), 0);
  EXPECT_EQ(whole["benchmarks"].size(), 1U);
  EXPECT_EQ(whole["context"]["assay"]["schema"], 1);
}

TEST(Bridge, CustomContextSurvives) {
  const json whole = json_file("--benchmark_filter='^allocates$' --benchmark_context=branch=topic");
  EXPECT_EQ(whole["context"]["branch"], "topic");
}

TEST(Bridge, ConsoleShowsAllocations) {
  ASSAY_SKIP_IF_NOT_COUNTED;
  const std::string text = output_of(fixture + quick + "--benchmark_filter='^allocates$'");
  EXPECT_NE(text.find("allocs=3"), std::string::npos) << text;
  EXPECT_NE(text.find("peak_bytes="), std::string::npos) << text;
}

TEST(Bridge, OtherFormatsAndListingWorkAsEver) {
  const std::string csv =
      output_of(fixture + quick + "--benchmark_filter='^allocates$' --benchmark_format=csv");
  EXPECT_NE(csv.find("name,iterations,real_time"), std::string::npos);
  EXPECT_NE(csv.find("\"allocates\""), std::string::npos);
  const std::string list =
      output_of(fixture + " --benchmark_list_tests --benchmark_filter=quadratic");
  EXPECT_EQ(list, "quadratic/4\nquadratic/8\nquadratic/16\n");
}

TEST(Bridge, RefusesUnknownFlags) {
  const int status = std::system((fixture + " --benchmark_nonsense >/dev/null 2>&1").c_str());
  EXPECT_NE(status, 0);
}

}  // namespace
}  // namespace assay
