#include <assay/index/team.hpp>

#include <exception>
#include <string>
#include <thread>
#include <vector>

namespace assay::index {
namespace {

void run_one(std::uint32_t number, MainBoard& main,
             const std::function<void(std::uint32_t)>& work) {
  try {
    work(number);
  } catch (const std::exception& exception) {
    main.fail_by_exception(exception.what());
  } catch (...) {
    main.fail_by_exception("something that is no std::exception");
  }
}

}  // namespace

void run_team(std::uint32_t threads, MainBoard& main,
              const std::function<void(std::uint32_t)>& work,
              const std::function<void()>& meanwhile) {
  std::vector<std::thread> team;
  team.reserve(threads);
  for (std::uint32_t number = 0; number < threads; ++number) {
    team.emplace_back([number, &main, &work] { run_one(number, main, work); });
  }
  meanwhile();
  for (std::thread& thread : team) thread.join();
}

}  // namespace assay::index
