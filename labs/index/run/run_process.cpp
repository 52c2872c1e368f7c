#include <assay/index/run/run_process.hpp>

#include <assay/base/units.hpp>
#include <assay/index/plugin_library.hpp>
#include <assay/index/run/driver_cost.hpp>
#include <assay/index/run/loading.hpp>
#include <assay/index/run/worker.hpp>
#include <assay/index/run/worker_threads.hpp>
#include <assay/measure/counters/memory_traffic.hpp>
#include <assay/measure/counters/perf_group.hpp>
#include <assay/system/clock.hpp>

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <exception>
#include <fstream>
#include <latch>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay::index {
namespace {

std::int64_t thread_cpu_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::int64_t{time.tv_sec} * ns_per_s + time.tv_nsec;
}

std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t all = 0;
  std::int64_t resident = 0;
  file >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

void copy_text(std::span<char> into, const std::string& text) {
  const std::size_t length = std::min(text.size(), into.size() - 1);
  std::copy_n(text.begin(), length, into.begin());
  into[length] = '\0';
}

/// The counters that PiBench reads through Intel PCM, here from perf events where the host has
/// them.
class Counters {
 public:
  explicit Counters(bool are_wanted)
      : group_(are_wanted ? std::vector<std::string>{"cache-misses", "instructions", "cycles"}
                          : std::vector<std::string>{},
               PerfGroup::Covers::this_thread_and_new),
        traffic_(are_wanted ? std::vector<std::string>{"dram-read-bytes", "dram-write-bytes",
                                                       "pmem-read-bytes", "pmem-write-bytes"}
                            : std::vector<std::string>{}) {}

  void start() {
    traffic_.start();
    group_.start();
  }

  void stop_into(RunState& main) {
    group_.stop();
    traffic_.stop();
    put(main, group_.read(), group_.unavailable());
    put(main, traffic_.read(), traffic_.unavailable());
  }

 private:
  static void put(RunState& main, const std::vector<CounterValue>& values,
                  const std::vector<std::string>& reasons) {
    for (const CounterValue& value : values) {
      if (main.counter_count == main.counters.size()) return;
      SharedCounter& counter = main.counters[main.counter_count++];
      copy_text(counter.name, value.name);
      counter.is_known = value.count.has_value();
      counter.count = value.count.value_or(0);
      for (const std::string& reason : reasons) {
        if (reason.starts_with(value.name + ": ")) copy_text(counter.reason, reason);
      }
    }
  }

  PerfGroup group_;
  MemoryTraffic traffic_;
};

class IndexRun {
 public:
  explicit IndexRun(const ChildSetup& setup)
      : options_(setup.options),
        results_(setup.results),
        main_(setup.results.main()),
        phases_(setup.phases),
        page_(setup.page),
        keys_(options_.key, setup.file) {}

  void run() {
    main_.driver_ns = measure_driver_cost(options_, keys_);
    const auto tree = open();
    if (!tree) return;
    const RunContext run{.options = options_, .keys = keys_, .tree = **tree, .results = results_};
    if (prepare(run)) operate(run);
    enter(Phase::closing);
  }

  void enter(Phase phase) {
    main_.phase.store(phase);
    const std::uint64_t one = 1;
    if (write(phases_, &one, sizeof one) < 0)
      main_.fail(Fault::input, "eventfd: cannot be written");
  }

 private:
  std::optional<std::unique_ptr<tree_api>> open() {
    enter(Phase::opening);
    const std::int64_t began_ns = now_ns();
    const auto library = PluginLibrary::open(options_.plugin, page_);
    if (!library) {
      main_.fail(Fault::input, library.error().line());
      return std::nullopt;
    }
    copy_text(main_.warning, library->warning());
    copy_text(main_.hint, library->hint());
    auto tree = library->create({.key_size = keys_.bytes(),
                                 .value_size = options_.value.size,
                                 .pool_path = options_.pool.path,
                                 .pool_size = options_.pool.size_bytes,
                                 .num_threads = options_.threads});
    main_.open_ns = now_ns() - began_ns;
    if (tree) return std::move(tree).value();
    main_.fail(Fault::plugin, tree.error().line());
    return std::nullopt;
  }

  bool prepare(const RunContext& run) {
    if (!options_.skip_load) {
      main_.load_began_ns.store(now_ns());
      enter(Phase::loading);
      load(run);
      main_.load_ended_ns.store(now_ns());
    }
    if (!main_.stop.load()) {
      const std::int64_t began_ns = now_ns();
      enter(Phase::verifying_load);
      verify_loaded(run);
      main_.verify_ns = now_ns() - began_ns;
    }
    main_.loaded_rss_bytes = resident_bytes();
    return !main_.stop.load();
  }

  void operate(const RunContext& run) {
    std::optional<ExpectedRecords> expected;
    if (options_.verify) expected.emplace(options_, options_.records);
    Counters counters(options_.pcm);
    std::latch ready(options_.threads);
    std::latch go(1);
    const auto work = [&](std::uint32_t thread) {
      const auto worker = make_worker(run, thread, expected, ready);
      go.wait();
      if (worker) run_worker(*worker, thread);
    };
    run_team(options_.threads, main_, work, [&] {
      ready.wait();
      counters.start();
      main_.run_began_ns.store(now_ns());
      enter(Phase::running);
      go.count_down();
    });
    counters.stop_into(main_);
    if (expected && !main_.has_failed.load()) inspect(run, *expected);
  }

  /// Makes a worker; if memory is short, fails the run and returns nothing. Counts down `ready` in
  /// both cases, so that the other threads do not wait for ever.
  std::unique_ptr<Worker> make_worker(const RunContext& run, std::uint32_t thread,
                                      std::optional<ExpectedRecords>& expected, std::latch& ready) {
    std::unique_ptr<Worker> worker;
    try {
      worker = std::make_unique<Worker>(WorkerSetup{.options = options_,
                                                    .keys = keys_,
                                                    .tree = run.tree,
                                                    .results = results_,
                                                    .place = run.place(thread),
                                                    .expected = expected ? &*expected : nullptr});
    } catch (const std::bad_alloc&) {
      main_.fail(Fault::input, "no memory for a worker (fewer threads, smaller values?)");
    }
    ready.count_down();
    return worker;
  }

  void run_worker(Worker& worker, std::uint32_t thread) {
    ThreadCounters& mine = results_.thread(thread);
    const std::uint64_t share = options_.operations / options_.threads +
                                (thread < options_.operations % options_.threads ? 1 : 0);
    const std::int64_t cpu_ns = thread_cpu_ns();
    mine.began_ns.store(now_ns());
    worker.run(options_.mode == Mode::time ? ~std::uint64_t{0} : share);
    mine.ended_ns.store(now_ns());
    mine.cpu_ns.store(thread_cpu_ns() - cpu_ns);
  }

  void inspect(const RunContext& run, const ExpectedRecords& expected) {
    enter(Phase::verifying_end);
    main_.stop.store(false);  // set by whatever ended the run; it must not end the inspection
    verify_held(run, expected);
    main_.verified_records.store(expected.held());
  }

  const Options& options_;
  const SharedResults& results_;
  RunState& main_;
  int phases_;
  std::shared_ptr<OptionsPage> page_;
  KeyMaker keys_;
};

/// Makes the child ignore interrupts, which the supervisor handles, and print to standard error
/// only.
void become_child() {
  // A terminal and `timeout` signal the whole process group; the supervisor then tells this process
  // to stop.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  dup2(STDERR_FILENO, STDOUT_FILENO);
}

}  // namespace

void run_child(const ChildSetup& setup) {
  become_child();
  try {
    IndexRun run(setup);
    run.run();
    run.enter(Phase::done);
  } catch (const std::exception& exception) {
    setup.results.main().fail(Fault::input, std::string("cannot go on: ") + exception.what());
  }
  // Without atexit() handlers of the plug-in, which are not part of the run.
  _exit(0);
}

}  // namespace assay::index
