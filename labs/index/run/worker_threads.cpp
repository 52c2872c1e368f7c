#include <assay/index/run/worker_threads.hpp>

#include <assay/index/openmp.hpp>

#include <exception>
#include <string>
#include <thread>
#include <vector>

namespace assay::index {
namespace {

void run_one(std::uint32_t number, RunState& main, const std::function<void(std::uint32_t)>& work) {
  try {
    work(number);
  } catch (const std::exception& exception) {
    main.fail_by_exception(exception.what());
  } catch (...) {
    main.fail_by_exception("something that is no std::exception");
  }
}

void run_by_threads(std::uint32_t threads, const std::function<void(std::uint32_t)>& work,
                    const std::function<void()>& meanwhile) {
  std::vector<std::thread> team;
  team.reserve(threads);
  for (std::uint32_t number = 0; number < threads; ++number) {
    team.emplace_back([number, &work] { work(number); });
  }
  meanwhile();
  for (std::thread& thread : team) thread.join();
}

}  // namespace

void run_team(std::uint32_t threads, RunState& main, const std::function<void(std::uint32_t)>& work,
              const std::function<void()>& meanwhile) {
  const std::function<void(std::uint32_t)> one = [&](std::uint32_t number) {
    run_one(number, main, work);
  };
  if (!has_openmp()) return run_by_threads(threads, one, meanwhile);
  std::thread leader([&] {
    if (!run_by_openmp(threads, one)) run_by_threads(threads, one, [] {});
  });
  meanwhile();
  leader.join();
}

}  // namespace assay::index
