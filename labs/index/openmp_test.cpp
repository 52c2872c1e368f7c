#include <assay/index/openmp.hpp>

#include <assay/index/run/shared_results.hpp>
#include <assay/index/run/worker_threads.hpp>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <mutex>
#include <set>

namespace assay::index {
namespace {

#if !defined(__SANITIZE_THREAD__)  // ThreadSanitizer does not see how OpenMP's threads synchronise

TEST(OpenMp, KnowsTheThreadsOfATeam) {
  void* const library = dlopen("libgomp.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) GTEST_SKIP() << "no libgomp.so.1 here";
  const auto number_of = reinterpret_cast<int (*)()>(dlsym(library, "omp_get_thread_num"));
  const auto results = SharedResults::make({.threads = 4});
  ASSERT_TRUE(results.ok());
  std::mutex mutex;
  std::set<std::pair<std::uint32_t, int>> seen;
  bool was_called = false;
  run_team(
      4, results->main(),
      [&](std::uint32_t number) {
        const std::lock_guard lock(mutex);
        seen.emplace(number, number_of());
      },
      [&] { was_called = true; });
  const std::set<std::pair<std::uint32_t, int>> same{{0, 0}, {1, 1}, {2, 2}, {3, 3}};
  EXPECT_EQ(seen, same);
  EXPECT_TRUE(was_called);
  EXPECT_FALSE(results->main().has_failed.load());
}

#endif

}  // namespace
}  // namespace assay::index
