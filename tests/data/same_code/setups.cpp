// What functions of the user's, called before `main` and never again, leave to benchmarks. As in
// parts.cpp, one macro at a time is defined otherwise.
#include <benchmark/benchmark.h>

#include <vector>

#ifndef FILLED
#define FILLED 9
#endif
#ifndef REACHED
#define REACHED 15
#endif
#ifndef HELPED
#define HELPED 17
#endif
#ifndef AGAIN
#define AGAIN 21
#endif
#ifndef UNREAD
#define UNREAD 23
#endif
#ifndef HEAPED
#define HEAPED 19
#endif

// What the loader calls sets what no benchmark reads.
static int unread;
__attribute__((constructor, used)) static void sets_unread() {
  unread = UNREAD;
}

// A function of the user's fills what one benchmark reads and no other.
struct Squares {
  int made[8];
};
__attribute__((noinline)) Squares filled(int first) {
  Squares squares;
  for (int i = 0; i < 8; ++i) squares.made[i] = (first + i) * first;
  return squares;
}
static const Squares squares = filled(FILLED);
static void BM_filled(benchmark::State& state) {
  int i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(squares.made[++i & 7]);
}
BENCHMARK(BM_filled);

// What a benchmark reads is written through a constant table of places.
static int before, behind;
struct Place {
  int* where;
};
static const Place places[2] __attribute__((used)) = {{&before}, {&behind}};
__attribute__((noinline)) bool writes_at(int index, int value) {
  const Place* volatile table = places;
  *table[index].where = value;
  return true;
}
static const bool written_behind = writes_at(1, REACHED);
static void BM_behind(benchmark::State& state) {
  int i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(behind + ++i);
}
BENCHMARK(BM_behind);

// A function that benchmarks call as well leads to what both use.
__attribute__((noinline)) int& shared_place() {
  static int place;
  return place;
}
__attribute__((noinline)) bool helps(int value) {
  shared_place() = value;
  return true;
}
static const bool helped = helps(HELPED);
static void BM_helped(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(shared_place());
}
BENCHMARK(BM_helped);

// A function that the loader calls, and a benchmark as well, is no set-up alone.
static int again;
__attribute__((constructor, noinline)) static void calls_again() {
  again = again * 3 + AGAIN;
}
static void BM_again(benchmark::State& state) {
  again = 0;
  calls_again();
  int i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(again + ++i);
}
BENCHMARK(BM_again);

// What is on the heap is found through what is not.
static std::vector<int>* heaped;
__attribute__((noinline)) bool heaps(int value) {
  heaped = new std::vector<int>(8, value);
  return true;
}
static const bool is_heaped = heaps(HEAPED);
static void BM_heaped(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize((*heaped)[3]);
}
BENCHMARK(BM_heaped);
