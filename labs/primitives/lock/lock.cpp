// What a lock costs: with one thread, with two, with more threads than CPUs; and how fairly it was
// shared. After flowbench's priority lock benchmark.
//
// Threads are Google Benchmark's: it lets them begin together, and the time of an operation is the
// real time divided by the operations of all. Each does the same number. `fairness` is the share
// of its operations that the slowest thread had done when the first was done with all: 1 means
// that they kept step, 0 that one got nothing.
#include <assay/primitives/lock/lock_types.hpp>

#include <assay/base/do_not_optimize.hpp>
#include <assay/primitives/measured.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

namespace assay::primitives {
namespace {

struct Hold {
  struct Briefly {
    static constexpr std::string_view name = "Hold::Briefly";
    static constexpr int steps = 0;
  };
  /// Holds the lock for about a microsecond, so that others are waiting when it is released.
  struct Long {
    static constexpr std::string_view name = "Hold::Long";
    static constexpr int steps = 3'000;
  };
};

constexpr int most_threads = 4;

struct alignas(64) Progress {
  std::atomic<std::int64_t> done{0};
};

/// A lock and the data that it guards, shared by all threads of a benchmark.
template <class Lock>
struct Contest {
  Lock lock;
  alignas(64) std::int64_t guarded = 0;
  std::array<std::int64_t, 64> table{};
  std::array<Progress, most_threads> progress;
  std::atomic<std::int64_t> slowest_at_first_end{-1};
};

/// The Contest of the running benchmark. Thread 0 makes it before the loop, at whose start all
/// threads wait for each other; it stays until the next run replaces it.
template <class Lock>
std::unique_ptr<Contest<Lock>>& contest() {
  static std::unique_ptr<Contest<Lock>> current;
  return current;
}

template <class Lock>
void note_first_end(Contest<Lock>& contest, int threads) {
  std::int64_t slowest = contest.progress[0].done;
  for (int i = 1; i < threads; ++i) {
    slowest = std::min(slowest, contest.progress[static_cast<std::size_t>(i)].done.load());
  }
  std::int64_t nobody = -1;
  contest.slowest_at_first_end.compare_exchange_strong(nobody, slowest);
}

template <class Lock>
void report_fairness(benchmark::State& state, const Contest<Lock>& contest) {
  if (state.threads() == 1 || state.thread_index() != 0) return;
  state.counters["fairness"] =
      static_cast<double>(contest.slowest_at_first_end) / static_cast<double>(state.iterations());
}

/// Times `step(contest)` in each thread; all threads share one Contest.
template <class Lock, class Step>
void compete(benchmark::State& state, Step step) {
  if (state.thread_index() == 0) contest<Lock>() = std::make_unique<Contest<Lock>>();
  Measured measured(state);
  std::int64_t done = 0;
  const auto all = static_cast<std::int64_t>(state.max_iterations);
  for (auto _ : state) {
    Contest<Lock>& shared = *contest<Lock>();
    step(shared);
    shared.progress[static_cast<std::size_t>(state.thread_index())].done.store(
        ++done, std::memory_order_relaxed);
    if (done == all) note_first_end(shared, state.threads());
  }
  measured.done({});
  report_fairness(state, *contest<Lock>());
}

void work(int steps) {
  for (int i = 0; i < steps; ++i) make_opaque(i);
}

template <class Lock, class Held>
void exclusive(benchmark::State& state) {
  const auto priority = static_cast<std::uint32_t>(state.thread_index());
  compete<Lock>(state, [priority](Contest<Lock>& shared) {
    shared.lock.lock(priority);
    ++shared.guarded;
    work(Held::steps);
    shared.lock.unlock();
  });
  if (state.thread_index() != 0) return;
  if (contest<Lock>()->guarded != state.iterations() * state.threads()) {
    state.SkipWithError("guarded increments were lost");
  }
}

std::int64_t sum_of(const std::array<std::int64_t, 64>& table) {
  std::int64_t sum = 0;
  for (const std::int64_t value : table) sum += value;
  return sum;
}

template <class Lock>
std::int64_t read(Contest<Lock>& shared) {
  if constexpr (requires { shared.lock.lock_shared(); }) {
    shared.lock.lock_shared();
    const std::int64_t sum = sum_of(shared.table);
    shared.lock.unlock_shared();
    return sum;
  } else {
    shared.lock.lock(0);
    const std::int64_t sum = sum_of(shared.table);
    shared.lock.unlock();
    return sum;
  }
}

template <class Lock>
void write(Contest<Lock>& shared) {
  shared.lock.lock(0);
  for (std::int64_t& value : shared.table) ++value;
  shared.lock.unlock();
}

/// Reads a table of 512 bytes under the lock, and in every 64th iteration changes it.
template <class Lock>
void read_mostly(benchmark::State& state) {
  compete<Lock>(state, [turn = 0U](Contest<Lock>& shared) mutable {
    if (++turn % 64 == 0) {
      write(shared);
    } else {
      benchmark::DoNotOptimize(read(shared));
    }
  });
}

void in_one_two_and_four_threads(benchmark::internal::Benchmark& made) {
  made.Threads(1)->Threads(2)->Threads(most_threads)->UseRealTime();
}

void in_two_and_four_threads(benchmark::internal::Benchmark& made) {
  made.Threads(2)->Threads(most_threads)->UseRealTime();
}

template <class Lock>
void add_exclusive(Group& group, Problem (*check)() = check_exclusion<Lock>) {
  group.add({.name = name_of<Lock, Hold::Briefly>("bench_lock_exclusive"),
             .sharing = Sharing::thread_safe,
             .check = check,
             .loop = exclusive<Lock, Hold::Briefly>,
             .shape = in_one_two_and_four_threads});
  group.add({.name = name_of<Lock, Hold::Long>("bench_lock_exclusive"),
             .sharing = Sharing::thread_safe,
             .check = check,
             .loop = exclusive<Lock, Hold::Long>,
             .shape = in_two_and_four_threads});
}

template <class Lock>
void add_read_mostly(Group& group, Problem (*check)() = check_exclusion<Lock>) {
  group.add({.name = name_of<Lock>("bench_lock_read_mostly"),
             .sharing = Sharing::thread_safe,
             .check = check,
             .loop = read_mostly<Lock>,
             .shape = in_one_two_and_four_threads});
}

}  // namespace

Group group() {
  Group group;
  add_exclusive<LockType::Mutex>(group);
  add_exclusive<LockType::SharedMutex>(group, check_shared<LockType::SharedMutex>);
  add_exclusive<LockType::Spin>(group);
  add_exclusive<LockType::Ticket>(group);
  add_exclusive<LockType::Futex>(group);
  add_exclusive<LockType::Priority>(group, check_priority<LockType::Priority>);
  add_read_mostly<LockType::Mutex>(group);
  add_read_mostly<LockType::SharedMutex>(group, check_shared<LockType::SharedMutex>);
  add_read_mostly<LockType::Spin>(group);
  add_read_mostly<LockType::Futex>(group);
  return group;
}

}  // namespace assay::primitives
