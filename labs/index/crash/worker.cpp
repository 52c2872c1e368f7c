#include <assay/index/crash/worker.hpp>

#include <assay/base/random.hpp>
#include <assay/index/crash/checked_record.hpp>
#include <assay/index/plugin_library.hpp>

#include <barrier>
#include <thread>
#include <vector>

namespace assay::index::crash {
namespace {

/// Writes the keys of one of the threads: those with number `number`, number + threads, and so on.
class Writer {
 public:
  Writer(tree_api& tree, const CrashPlan& plan, OperationLog& log, std::uint32_t number)
      : tree_(tree),
        plan_(plan),
        record_(plan.key_size, plan.value_size),
        ledger_(log),
        first_(number),
        ambiguous_(plan.keys(), false) {}

  void load() {
    for (std::uint32_t key = first_; key < plan_.records; key += plan_.threads) write(key, true);
  }

  void work_without_end(Random random) {
    const std::uint32_t own = (plan_.keys() - first_ - 1) / plan_.threads + 1;
    for (;;) {
      const auto chosen = static_cast<std::uint32_t>(random.below(own));
      write(first_ + chosen * plan_.threads, random.below(3) != 0);
    }
  }

 private:
  /// Inserts or updates the key if `keep`, else removes it; does nothing if there is none to
  /// remove.
  void write(std::uint32_t key, bool keep) {
    OperationLog::Key& entry = ledger_.key(key);
    const KeyState before = KeyState::from_code(entry.acknowledged.load());
    if (ambiguous_[key] || (!keep && !before.is_there)) return;
    const KeyState after{before.version + 1, keep};
    entry.intended.store(after.code());
    if (happened(key, before, after)) {
      entry.acknowledged.store(after.code());
      ledger_.acknowledged.fetch_add(1, std::memory_order_relaxed);
    } else {
      // The operation may have taken effect all the same, so this key is not used any more.
      ambiguous_[key] = true;
      ledger_.refused.fetch_add(1, std::memory_order_relaxed);
    }
  }

  bool happened(std::uint32_t key, KeyState before, KeyState after) {
    const std::string name = record_.key(key);
    if (!after.is_there) return tree_.remove(name.data(), name.size());
    const std::string value = record_.value(key, after.version);
    return before.is_there ? tree_.update(name.data(), name.size(), value.data(), value.size())
                           : tree_.insert(name.data(), name.size(), value.data(), value.size());
  }

  tree_api& tree_;
  const CrashPlan& plan_;
  const CheckedRecord record_;
  OperationLog& ledger_;
  const std::uint32_t first_;
  std::vector<bool> ambiguous_;
};

void give_up(OperationLog& log, const std::string& why) {
  log.set_message(why);
  log.phase.store(Phase::gave_up);
}

}  // namespace

void run_worker(const CrashPlan& plan, const std::string& pool, std::uint64_t seed,
                OperationLog& log) {
  const auto library = PluginLibrary::open(plan.plugin);
  if (!library) return give_up(log, library.error().line());
  const auto tree = library->create(plan.tree_options(pool));
  if (!tree) return give_up(log, tree.error().line());
  std::barrier loaded(static_cast<std::ptrdiff_t>(plan.threads), [&log]() noexcept {
    const bool any = log.acknowledged.load() > 0;
    if (!any) log.set_message("every insert was refused");
    log.phase.store(any ? Phase::working : Phase::gave_up);
  });
  Random random(seed);
  std::vector<std::thread> threads;
  for (std::uint32_t number = 0; number < plan.threads; ++number) {
    threads.emplace_back([&, number, own = random.split()] {
      Writer writer(**tree, plan, log, number);
      writer.load();
      loaded.arrive_and_wait();
      writer.work_without_end(own);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace assay::index::crash
