// A function of the C library, reached through a stub of the linker. Where the address of the
// function is taken as well, the linker makes the stub in another section (`.plt.got`).
#include <benchmark/benchmark.h>
#include <sys/mman.h>

#include <cctype>
#include <cstring>

#ifndef CALLED
#define CALLED std::toupper
#endif
#ifndef AWAY
#define AWAY std::isalpha
#endif

static void BM_called(benchmark::State& state) {
  int i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(CALLED(++i & 63));
}
BENCHMARK(BM_called);

static void BM_away(benchmark::State& state) {
  int i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(AWAY(++i & 63));
}
BENCHMARK(BM_away);

// Never called: it takes the addresses of both functions that BM_away may call.
int (*address_of(int which))(int) {
  if (which) return std::isalpha;
  return std::ispunct;
}

// Code that the program makes while it runs, which is in no file.
static void BM_made(benchmark::State& state) {
  const unsigned char code[] = {0x8d, 0x47, 0x01, 0xc3};  // lea eax, [rdi+1]; ret
  void* place =
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::memcpy(place, code, sizeof code);
  int i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(reinterpret_cast<int (*)(int)>(place)(++i));
}
BENCHMARK(BM_made);
