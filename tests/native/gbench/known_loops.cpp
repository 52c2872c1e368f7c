// Loops of every kind whose work, allocations and system calls are known: test_why_programs.py.
//
// KNOWN_AFTER makes the slower build. With MAIN_OF_ASSAY main() is Assay's; else it is one of this
// file, which registers a memory manager with MAIN_WITH_MANAGER, and with MAIN_TWICE also runs the
// benchmarks twice.
#ifdef MAIN_OF_ASSAY
#include <assay/assay.hpp>
#endif

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <chrono>

namespace known {

#ifdef KNOWN_AFTER
constexpr int blocks = 5;
constexpr int questions = 3;
#define NOTHINGS ".rept 150\nnop\n.endr"
#else
constexpr int blocks = 3;
constexpr int questions = 2;
#define NOTHINGS ".rept 100\nnop\n.endr"
#endif

[[gnu::noinline]] void spend() {
  asm volatile(NOTHINGS);
}

[[gnu::noinline]] void take() {
  for (int i = 0; i < blocks; ++i) {
    void* block = ::operator new(24);
    benchmark::DoNotOptimize(block);
    ::operator delete(block);
  }
}

[[gnu::noinline]] void ask() {
  for (int i = 0; i < questions; ++i) benchmark::DoNotOptimize(getppid());
}

void body() {
  spend();
  take();
  ask();
}

void plain(benchmark::State& state) {
  for (auto _ : state) body();
}
BENCHMARK(plain);

void keeps_running(benchmark::State& state) {
  while (state.KeepRunning()) body();
}
BENCHMARK(keeps_running);

class Fixture : public benchmark::Fixture {
 public:
  void SetUp(benchmark::State& /*state*/) override { take(); }
  void TearDown(benchmark::State& /*state*/) override { take(); }
};
BENCHMARK_F(Fixture, in_fixture)(benchmark::State& state) {
  for (auto _ : state) body();
}

template <class Value>
void in_template(benchmark::State& state) {
  for (auto _ : state) body();
}
BENCHMARK_TEMPLATE(in_template, int);

BENCHMARK(plain)->Name("fixed")->Iterations(40);
BENCHMARK(plain)->Name("threaded")->Threads(2);

void by_hand(benchmark::State& state) {
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    const auto end = std::chrono::steady_clock::now();
    state.SetIterationTime(std::chrono::duration<double>(end - begin).count());
  }
}
BENCHMARK(by_hand)->UseManualTime();

}  // namespace known

#ifdef MAIN_OF_ASSAY
ASSAY_MAIN();
#else

namespace {

class Manager : public benchmark::MemoryManager {
 public:
  void Start() override {}
  void Stop(Result& result) override { result.num_allocs = 1; }
  void Stop(Result* result) { result->num_allocs = 1; }  // as older versions declare it
};

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
#if defined(MAIN_WITH_MANAGER) || defined(MAIN_TWICE)
  Manager manager;
  benchmark::RegisterMemoryManager(&manager);
#endif
  benchmark::RunSpecifiedBenchmarks();
#ifdef MAIN_TWICE
  benchmark::ConsoleReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
#endif
}
#endif
