// Tables that are reached from a pointer that lies before them, as a compiler does that takes the
// first round out of a loop: in padding, and in the table before.
#include <benchmark/benchmark.h>

#ifndef PADDED
#define PADDED 3
#endif
#ifndef ADJACENT
#define ADJACENT 3
#endif
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

asm(R"(
  .pushsection .rodata
  .balign 32
  .type short_table, @object
  .size short_table, 5
short_table: .byte 9, 8, 7, 6, 5
  .balign 8
  .type padded_table, @object
  .size padded_table, 4
padded_table: .byte 1, 2, )" TEXT(PADDED) R"(, 4
  .type adjacent_table, @object
  .size adjacent_table, 4
adjacent_table: .byte 1, 2, )" TEXT(ADJACENT) R"(, 4
  .popsection
)");

static void BM_padded(benchmark::State& state) {
  const unsigned char* before = nullptr;
  asm("lea padded_table-1(%%rip), %0" : "=r"(before));
  int i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(before[1 + (i++ & 3)]);
}
BENCHMARK(BM_padded);

static void BM_adjacent(benchmark::State& state) {
  const unsigned char* before = nullptr;
  asm("lea adjacent_table-1(%%rip), %0" : "=r"(before));
  int i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(before[1 + (i++ & 3)]);
}
BENCHMARK(BM_adjacent);
