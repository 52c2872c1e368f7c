#include <assay/gbench/benchmark_names.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace assay {
namespace {

/// Collects the names that Google Benchmark prints for --benchmark_list_tests; no benchmark runs.
class NameCollector : public benchmark::BenchmarkReporter {
 public:
  NameCollector() {
    SetOutputStream(&text_);
    SetErrorStream(&errors_);
  }
  bool ReportContext(const Context& /*context*/) override { return true; }
  void ReportRuns(const std::vector<Run>& /*runs*/) override {}

  std::vector<std::string> names() {
    std::vector<std::string> lines;
    for (std::string line; std::getline(text_, line);) lines.push_back(line);
    return lines;
  }

 private:
  std::stringstream text_;
  std::stringstream errors_;
};

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

/// Whether Initialize() must not see this option when it only lists names: the second call, which
/// runs the benchmarks, would add the context again and open the file of results again.
bool is_left_out(const std::string& argument) {
  return starts_with(argument, "--benchmark_context") || starts_with(argument, "--benchmark_out");
}

}  // namespace

std::vector<std::string> benchmark_names(int argc, char** argv) {
  for (const char* const variable : {"BENCHMARK_CONTEXT", "BENCHMARK_LIST_TESTS"}) {
    if (std::getenv(variable) != nullptr) return {};
  }
  std::vector<std::string> words(argv, argv + argc);
  std::erase_if(words, is_left_out);
  words.emplace_back("--benchmark_list_tests=true");
  std::vector<char*> pointers = pointers_to(words);
  int count = static_cast<int>(words.size());
  benchmark::Initialize(&count, pointers.data());
  NameCollector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  return collector.names();
}

std::vector<std::string> arguments_to_run(int argc, char** argv) {
  std::vector<std::string> words(argv, argv + argc);
  const bool was_listed = std::getenv("BENCHMARK_LIST_TESTS") == nullptr;
  if (was_listed) words.insert(words.begin() + 1, "--benchmark_list_tests=false");
  return words;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace assay
