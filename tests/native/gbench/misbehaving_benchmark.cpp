// Google Benchmark executable that goes wrong in the way that is asked for.
//
//   misbehaving_benchmark --benchmark_filter=abort      one that crashes; fine/0..2 behave
//   MISBEHAVE=rubbish misbehaving_benchmark ...         prints rubbish instead of JSON
//
// MISBEHAVE: rubbish (not JSON on stdout and in the file), truncated (JSON cut short),
// silent (no output, no file, exit 0), exit3 (exit code 3 at once).
#include <benchmark/benchmark.h>

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

namespace {

void fine(benchmark::State& state) {
  for (auto _ : state) {
    for (int i = 0; i < 100; ++i) benchmark::DoNotOptimize(i);
  }
}
BENCHMARK(fine)->Arg(0)->Arg(1)->Arg(2);

template <class Misdeed>
void do_once(benchmark::State& state, Misdeed misdeed) {
  for (auto _ : state) misdeed();
}

void aborts(benchmark::State& state) {
  do_once(state, [] { std::abort(); });
}
void segfaults(benchmark::State& state) {
  do_once(state, [] { std::raise(SIGSEGV); });
}
void hangs(benchmark::State& state) {
  do_once(state, [] { std::this_thread::sleep_for(std::chrono::hours(1)); });
}
void spins(benchmark::State& state) {
  do_once(state, [] {
    for (;;) benchmark::ClobberMemory();
  });
}
void exits_early(benchmark::State& state) {
  do_once(state, [] { std::exit(0); });
}
void exits_with_7(benchmark::State& state) {
  do_once(state, [] { std::_Exit(7); });
}
void throws(benchmark::State& state) {
  do_once(state, [] { throw std::runtime_error("thrown on purpose"); });
}
void skips(benchmark::State& state) {
  state.SkipWithError("skipped \"on purpose\"");
  for (auto _ : state) {
  }
}
void ignores_sigterm(benchmark::State& state) {
  std::signal(SIGTERM, SIG_IGN);
  do_once(state, [] { std::this_thread::sleep_for(std::chrono::hours(1)); });
}

BENCHMARK(aborts);
BENCHMARK(segfaults);
BENCHMARK(hangs);
BENCHMARK(spins);
BENCHMARK(exits_early);
BENCHMARK(exits_with_7);
BENCHMARK(throws);
BENCHMARK(skips);
BENCHMARK(ignores_sigterm);
BENCHMARK(fine)->Name("fine_at_the_end");

std::string out_file(int argc, char** argv) {
  constexpr std::string_view flag = "--benchmark_out=";
  std::string file;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.substr(0, flag.size()) == flag) file = argument.substr(flag.size());
  }
  return file;
}

bool is_listing(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]).find("list_tests") != std::string_view::npos) return true;
  }
  return false;
}

int write_instead(std::string_view text, const std::string& file) {
  std::cout << text;
  if (!file.empty()) std::ofstream(file) << text;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const char* const variable = std::getenv("MISBEHAVE");
  const std::string_view misdeed = variable == nullptr ? "" : variable;
  const std::string file = out_file(argc, argv);
  if (misdeed == "exit3") return 3;
  if (!is_listing(argc, argv)) {
    if (misdeed == "rubbish") return write_instead("Segmentation fault? No.\n\x01{]", file);
    if (misdeed == "truncated") return write_instead("{\"context\": {\"date\": \"20", file);
    if (misdeed == "silent") return 0;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
