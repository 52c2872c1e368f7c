// The examples of native/system, line for line (tools/header_examples.py).
#include <assay/system/child_process.hpp>
#include <assay/system/clock.hpp>
#include <assay/system/cpu_set.hpp>
#include <assay/system/file_descriptor.hpp>
#include <assay/system/locked_folder.hpp>
#include <assay/system/page_allocator.hpp>
#include <assay/system/shared_pages.hpp>
#include <assay/system/signal_block.hpp>
#include <assay/system/text_file.hpp>
#include <assay/system/tick_clock.hpp>
#include <assay/system/tick_counter.hpp>
#include <assay/system/worker_barrier.hpp>
#include <assay/system/worker_team.hpp>
#include <assay/testing/temporary_folder.hpp>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <new>
#include <optional>
#include <string>
#include <vector>

namespace assay {
namespace {

int work() {
  return 7;
}

Status child_process_example() {
  const pid_t child = assay::fork_tied();
  if (child == 0) _exit(0);
  if (assay::Status done = assay::wait_for_success(child); !done) return done.error();

  assay::ChildProcess worker([] { work(); }, {.own_group = true});
  while (!worker.ended()) poll(nullptr, 0, 1);

  EXPECT_EQ(worker.how_it_ended(), "exited with 0");
  return {};
}

TEST(HeaderExamples, ChildProcess) {
  const Status done = child_process_example();
  EXPECT_TRUE(done) << done.error().line();
}

TEST(HeaderExamples, Clock) {
  const std::int64_t start = assay::now_ns();
  work();
  const std::int64_t took_ns = assay::now_ns() - start;

  EXPECT_GE(took_ns, 0);
}

Status cpu_set_example() {
  const int count = assay::CpuSet::parse("0-3,8")->count();  // 5

  EXPECT_EQ(count, 5);

  const assay::Result<assay::CpuSet> cpus = assay::CpuSet::allowed();
  if (!cpus) return cpus.error();
  return assay::pin_this_thread(cpus->last_first().front());
}

TEST(HeaderExamples, CpuSet) {
  const Status done = cpu_set_example();
  ASSERT_TRUE(done) << done.error().line();
  EXPECT_EQ(CpuSet::allowed()->count(), 1);
}

Status file_descriptor_example(const char* path) {
  assay::FileDescriptor file(open(path, O_RDONLY | O_CLOEXEC));
  if (!file) return assay::system_error(path, errno);
  return {};
}

TEST(HeaderExamples, FileDescriptor) {
  EXPECT_TRUE(file_descriptor_example("/dev/null"));
  EXPECT_FALSE(file_descriptor_example("/dev/null/none"));
}

Status locked_folder_example() {
  const auto made = assay::make_locked_folder("/tmp", "assay-crash-", "set TMPDIR");
  if (!made) return made.error();

  std::filesystem::remove(made->path);
  return {};
}

TEST(HeaderExamples, LockedFolder) {
  EXPECT_TRUE(locked_folder_example());
}

TEST(HeaderExamples, PageAllocator) {
  std::vector<std::uint64_t, assay::PageAllocator<std::uint64_t>> counts(33'792);

  EXPECT_EQ(counts.back(), 0U);
}

struct Counts {
  int of_child;
};
struct State {
  explicit State(int first) : count(first) {}
  int count;
};

TEST(HeaderExamples, SharedPages) {
  const int arguments = 4;

  auto pages = assay::SharedPages::make(sizeof(Counts));
  auto* counts = pages->as<Counts>();  // zeroed; the children see what anybody writes

  auto state = assay::Shared<State>::make(arguments);  // one T, constructed
  (*state)->count += 1;

  const pid_t child = fork_tied();
  if (child == 0) {
    counts->of_child = (*state)->count;
    _exit(0);
  }
  EXPECT_TRUE(wait_for_success(child));
  EXPECT_EQ(counts->of_child, 5);
}

TEST(HeaderExamples, SignalBlock) {
  using namespace std::chrono_literals;
  ChildProcess child([] { work(); });

  assay::SignalBlock signals({SIGCHLD, SIGINT, SIGTERM});
  while (!child.ended()) {
    if (const auto signal = signals.wait(1ms); signal == SIGINT) break;
  }

  EXPECT_TRUE(child.exited_with_0());
}

TEST(HeaderExamples, TextFile) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "out.json";
  const std::string text = "{}\n";

  const assay::Status written = assay::write_file(file, text);
  const std::optional<std::string> cpus = assay::first_line("/sys/devices/system/cpu/online");

  EXPECT_TRUE(written);
  EXPECT_EQ(assay::first_line(file), "{}");
  EXPECT_NE(cpus, "");
}

TEST(HeaderExamples, TickClock) {
  const assay::TickClock& clock = assay::TickClock::of_this_host();
  const std::uint64_t began = clock.begin();
  work();
  const std::int64_t took_ns = clock.ns_between(began, clock.end());

  EXPECT_GE(took_ns, 0);
}

TEST(HeaderExamples, TickCounter) {
  const std::uint64_t began = assay::tick_counter::begin();
  work();
  const std::uint64_t ticks = assay::tick_counter::end() - began;

  EXPECT_TRUE(ticks > 0 || !tick_counter::is_invariant());
}

void worker_barrier_example(std::uint32_t members, bool& all_came) {
  auto pages = SharedPages::make(sizeof(WorkerBarrier));
  auto* barrier = new (pages->as<void>()) WorkerBarrier(members);
  if (!barrier->wait()) return;  // somebody called abandon(): nobody waits any more

  all_came = true;
}

TEST(HeaderExamples, WorkerBarrier) {
  bool all_came = false;
  worker_barrier_example(1, all_came);
  EXPECT_TRUE(all_came);
}

TEST(HeaderExamples, WorkerTeam) {
  const auto pages = SharedPages::make(8 * sizeof(int));
  int* const slots = pages->as<int>();

  const auto member = [&](const assay::WorkerId& worker, assay::WorkerBarrier& barrier) {
    if (!barrier.wait()) return assay::Status();  // abandoned: leave quietly
    slots[worker.index] = work();
    return assay::Status();
  };
  const assay::Status done = assay::run_team({.processes = 2, .threads = 4}, {}, member);

  ASSERT_TRUE(done) << done.error().line();
  EXPECT_EQ(slots[7], 7);
}

}  // namespace
}  // namespace assay
