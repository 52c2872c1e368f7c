// One benchmark for each way of going wrong; the filter picks it. Those that end the
// process do so after something was measured.
#include <assay/assay.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

template <class Misdeed>
static void do_once(benchmark::State& state, Misdeed misdeed) {
  for (auto _ : state) misdeed();
}

static void behaves(benchmark::State& state) {
  do_once(state, [] { benchmark::ClobberMemory(); });
}
static void skips(benchmark::State& state) {
  state.SkipWithError("no \"device\"; none");
  do_once(state, [] {});
}
static void throws(benchmark::State& state) {
  do_once(state, [] { throw std::runtime_error("thrown on purpose"); });
}
static void crashes(benchmark::State& state) {
  do_once(state, [] { std::raise(SIGSEGV); });
}
static void exits_early(benchmark::State& state) {
  do_once(state, [] { std::exit(0); });
}
static void exits_with_7(benchmark::State& state) {
  do_once(state, [] { std::_Exit(7); });
}
static void hangs(benchmark::State& state) {
  do_once(state, [] { std::this_thread::sleep_for(std::chrono::minutes(5)); });
}

BENCHMARK(behaves);
BENCHMARK(skips);
BENCHMARK(behaves)->Name("throws");
BENCHMARK(throws);
BENCHMARK(behaves)->Name("crashes");
BENCHMARK(crashes);
BENCHMARK(behaves)->Name("exits_early");
BENCHMARK(exits_early);
BENCHMARK(exits_with_7);
BENCHMARK(hangs);

ASSAY_MAIN();
