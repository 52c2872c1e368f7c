// Benchmarks that end the process, each in its way, between two that behave.
//
//   ending_benchmark --benchmark_filter='first|throws|last'
#include <assay/assay.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace {

void behaves(benchmark::State& state) {
  for (auto _ : state) benchmark::ClobberMemory();
}

template <class Misdeed>
auto doing(Misdeed misdeed) {
  return [misdeed](benchmark::State& state) {
    for (auto _ : state) misdeed();
  };
}

/// The child goes on as if it were the parent.
void forks(benchmark::State& state) {
  pid_t child = -1;
  for (auto _ : state) {
    if (child < 0) child = fork();
  }
  if (child > 0) waitpid(child, nullptr, 0);
}

/// The child ends by exit(), which flushes the buffers that it has from its parent.
void forks_and_exits(benchmark::State& state) {
  for (auto _ : state) {
    const pid_t child = fork();
    if (child == 0) std::exit(0);
    waitpid(child, nullptr, 0);
  }
}

void register_all() {
  benchmark::RegisterBenchmark("first", behaves);
  benchmark::RegisterBenchmark("skips", [](benchmark::State& state) {
    state.SkipWithError("skipped on purpose");
    for (auto _ : state) {
    }
  });
  benchmark::RegisterBenchmark("forks", forks)->Iterations(1);
  benchmark::RegisterBenchmark("forks_and_exits", forks_and_exits)->Iterations(1);
  benchmark::RegisterBenchmark("throws",
                               doing([] { throw std::runtime_error("thrown on purpose"); }));
  benchmark::RegisterBenchmark("exits", doing([] { std::exit(0); }));
  benchmark::RegisterBenchmark("exits_at_once", doing([] { _exit(0); }));
  benchmark::RegisterBenchmark("is_killed", doing([] { std::raise(SIGKILL); }));
  benchmark::RegisterBenchmark("last", behaves);
}
[[maybe_unused]] const bool registered = (register_all(), true);

}  // namespace

ASSAY_MAIN();
