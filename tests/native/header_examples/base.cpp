// The examples of native/base, line for line (tools/header_examples.py).
#include <assay/base/do_not_optimize.hpp>
#include <assay/base/plain_mutex.hpp>
#include <assay/base/preloaded.hpp>
#include <assay/base/random.hpp>
#include <assay/base/result.hpp>
#include <assay/base/units.hpp>

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <mutex>

namespace assay {
namespace {

TEST(HeaderExamples, DoNotOptimize) {
  const char* const text = "four";
  const int calls = 3;
  std::uint64_t wanted = 6;

  for (int i = 0; i < calls; ++i) do_not_optimize(std::strlen(opaque_value(text)));

  std::uint64_t value = ++wanted;
  make_opaque(value);  // may be anything now, for all the compiler knows

  EXPECT_EQ(value, 7U);
}

constinit PlainMutex mutex;

TEST(HeaderExamples, PlainMutex) {
  const std::lock_guard lock(mutex);
}

TEST(HeaderExamples, Preloaded) {
  void* const next = dlsym(RTLD_NEXT, "getpid");  // of GLIBC_2.2.5, not of 2.34

  EXPECT_EQ(next, reinterpret_cast<void*>(&getpid));
}

TEST(HeaderExamples, Random) {
  assay::Random random(1729);
  const std::uint64_t index = random.below(100);

  EXPECT_LT(index, 100U);
}

assay::Result<int> parse_cpu(const char* text) {
  if (*text != '3') return Error{"no CPU"};
  return 3;
}

Status pin_to(int cpu) {
  if (cpu == 3) return Error{"offline"};
  return {};
}

Status result_example() {
  assay::Result<int> cpu = parse_cpu("3");
  if (!cpu) return cpu.error();
  if (assay::Status done = pin_to(*cpu); !done) return done.error();
  return {};
}

TEST(HeaderExamples, Result) {
  const Status done = result_example();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().line(), "offline");
}

TEST(HeaderExamples, Units) {
  const std::int64_t elapsed_ns = 2'500'000'000;

  const double seconds = static_cast<double>(elapsed_ns) / assay::ns_per_s;

  EXPECT_EQ(seconds, 2.5);
}

}  // namespace
}  // namespace assay
