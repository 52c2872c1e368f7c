// What runs before `main` and what a benchmark finds of it. As in parts.cpp, one macro at a time
// is defined otherwise.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <vector>

#ifndef FIRST
#define FIRST 201
#endif
#ifndef EARLY
#define EARLY 301
#endif
#ifndef READ
#define READ low
#endif
#ifndef MIDDLE
#define MIDDLE 20
#endif
#ifndef LISTED
#define LISTED 41
#endif
#ifndef SOWN
#define SOWN 7
#endif
#ifndef GIVEN
#define GIVEN 3
#endif
#ifndef HELD
#define HELD 11
#endif
#ifndef ASIDE
#define ASIDE 401
#endif

// Two constructors of one file push to the same list, in the order of their priorities.
struct Steps {
  int made[4];
  int count;
};
static Steps steps;
__attribute__((noinline)) void push(int value) {
  steps.made[steps.count++ & 3] = value;
}
struct Pusher {
  explicit Pusher(int value) { push(value); }
};
__attribute__((init_priority(FIRST))) Pusher first_pusher(3);
__attribute__((init_priority(202))) Pusher second_pusher(5);

static void BM_priority(benchmark::State& state) {
  int i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(steps.made[++i & 1]);
}
BENCHMARK(BM_priority);

// The same with functions that the user names himself.
static int last_said;
__attribute__((constructor(EARLY))) static void says_one() {
  last_said = 1;
}
__attribute__((constructor(302))) static void says_two() {
  last_said = 2;
}
static void BM_named(benchmark::State& state) {
  int i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(last_said + ++i);
}
BENCHMARK(BM_named);

// These cannot meet, so that their order says nothing.
static int alone_one, alone_two;
__attribute__((constructor(ASIDE))) static void sets_one() {
  alone_one = 1;
}
__attribute__((constructor(402))) static void sets_two() {
  alone_two = 2;
}
static void BM_aside(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(alone_one + alone_two);
}
BENCHMARK(BM_aside);

// Two numbers that are zeros in the file: only who sets them tells them apart.
static int low, high;
__attribute__((noinline)) void set(int* where, int value) {
  *where = value;
}
__attribute__((noinline)) int read_one(int more) {
  return READ + more;
}
static void BM_twins(benchmark::State& state) {
  set(&low, 1);
  set(&high, 100);
  int i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(read_one(++i));
}
BENCHMARK(BM_twins);

// A list that the linker puts together: code knows where it begins and ends.
extern "C" const int __start_listed[], __stop_listed[];
#define IN_LIST(NAME, VALUE) __attribute__((section("listed"), used)) static const int NAME = VALUE
IN_LIST(listed_first, 10);
IN_LIST(listed_middle, MIDDLE);
IN_LIST(listed_last, LISTED);
static void BM_walked(benchmark::State& state) {
  for (auto _ : state)
    for (const int* one = __start_listed; one != __stop_listed; ++one)
      benchmark::DoNotOptimize(*one);
}
BENCHMARK(BM_walked);

// A library keeps what it was told before `main`.
static const bool sown = [] {
  srand(SOWN);
  return true;
}();
static void BM_drawn(benchmark::State& state) {
  const int drawn = rand();
  for (auto _ : state) benchmark::DoNotOptimize(drawn);
}
BENCHMARK(BM_drawn);

// A number that a registration keeps for its benchmark.
static void given(benchmark::State& state, int times) {
  for (auto _ : state)
    for (int i = 0; i < times; ++i) benchmark::DoNotOptimize(i);
}
static const auto* const registered = benchmark::RegisterBenchmark("BM_given", given, GIVEN);

// A number that an object made by a registration keeps.
struct Holder : benchmark::Fixture {
  int held = HELD;
};
BENCHMARK_F(Holder, run)(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(held);
}
