#include <assay/index/crash/verifier.hpp>

#include <assay/base/units.hpp>
#include <assay/index/crash/checked_record.hpp>
#include <assay/index/plugin_library.hpp>
#include <assay/system/clock.hpp>

#include <algorithm>
#include <ctime>
#include <vector>

namespace assay::index::crash {
namespace {

class Verifier {
 public:
  Verifier(tree_api& tree, const CrashPlan& plan, OperationLog& log)
      : tree_(tree), record_(plan.key_size, plan.value_size), ledger_(log) {}

  Findings all() {
    findings_.acknowledged = ledger_.acknowledged.load();
    findings_.refused = ledger_.refused.load();
    for (std::uint32_t key = 0; key < ledger_.keys(); ++key) verify_key(key);
    compare_scan();
    try_writing();
    return findings_;
  }

 private:
  static constexpr std::size_t spare_bytes = 4096;  // for plug-ins that write beyond the value

  void verify_key(std::uint32_t key) {
    const KeyState intended = KeyState::from_code(ledger_.key(key).intended.load());
    const KeyState acknowledged = KeyState::from_code(ledger_.key(key).acknowledged.load());
    const bool in_flight = intended.code() != acknowledged.code();
    if (in_flight) ++findings_.in_flight;
    const std::string name = record_.key(key);
    std::string value(record_.value_size() + spare_bytes, '\0');
    if (!tree_.find(name.data(), name.size(), value.data())) {
      return judge_absence(key, acknowledged, in_flight && !intended.is_there);
    }
    present_.push_back(key);
    value.resize(record_.value_size());
    const auto version = record_.version_of(key, value);
    if (!version) return note_finding(findings_.torn, key, "holds no version of its value");
    if (in_flight && intended.is_there && *version == intended.version) {
      ++findings_.happened;
      return;
    }
    judge_version(key, acknowledged, *version);
  }

  void judge_absence(std::uint32_t key, KeyState acknowledged, bool removing) {
    if (!acknowledged.is_there) return;
    if (removing) {
      ++findings_.happened;
      return;
    }
    note_finding(findings_.gone, key, "is gone; acknowledged was " + text(acknowledged));
  }

  void judge_version(std::uint32_t key, KeyState acknowledged, std::uint32_t version) {
    const std::string has = "holds version " + std::to_string(version);
    if (version > acknowledged.version) {
      return note_finding(findings_.never_written, key, has + ", which nobody wrote");
    }
    if (!acknowledged.is_there) {
      return note_finding(findings_.resurrected, key,
                          has + "; acknowledged was " + text(acknowledged));
    }
    if (version < acknowledged.version) {
      note_finding(findings_.stale, key, has + "; acknowledged was " + text(acknowledged));
    }
  }

  /// Checks that scan gives the keys that find found. A plug-in whose scan returns nothing at all
  /// counts as having no scan, which is no error.
  void compare_scan() {
    std::vector<std::uint32_t> scanned;
    std::string from(record_.key_size(), '\0');
    while (const std::size_t records = scan_batch(from, scanned)) {
      if (records < batch) break;
      if (!has_advanced(scanned, records)) {
        return note_finding(findings_.scan_differs, scanned.back(),
                            "is where scan goes in circles");
      }
      from = record_.key(scanned.back() + 1);
    }
    if (scanned.empty() || scanned == present_) return;
    const auto differ =
        std::mismatch(scanned.begin(), scanned.end(), present_.begin(), present_.end());
    const std::uint32_t key = differ.first != scanned.end() ? *differ.first : *differ.second;
    note_finding(findings_.scan_differs, key, "is where scan and find do not agree");
  }

  static constexpr std::size_t batch = 64;

  static bool has_advanced(const std::vector<std::uint32_t>& scanned, std::size_t records) {
    return scanned.size() == records || scanned.back() > scanned[scanned.size() - records - 1];
  }

  std::size_t scan_batch(const std::string& from, std::vector<std::uint32_t>& scanned) {
    char* found_at = nullptr;
    const int records = tree_.scan(from.data(), from.size(), int{batch}, found_at);
    if (records <= 0 || found_at == nullptr) return 0;
    for (int record = 0; record < records; ++record) {
      const auto number = record_.number_of({found_at, record_.key_size()});
      // A number that no key has, for bytes that are no key.
      scanned.push_back(number.value_or(ledger_.keys()));
      found_at += record_.key_size() + record_.value_size();
    }
    return static_cast<std::size_t>(records);
  }

  /// Checks that the opened store still takes writes, with a key that no worker used.
  void try_writing() {
    const std::uint32_t key = ledger_.keys() + 1;
    const std::string name = record_.key(key);
    const std::string value = record_.value(key, 1);
    std::string read(record_.value_size() + spare_bytes, '\0');
    const bool works = tree_.insert(name.data(), name.size(), value.data(), value.size()) &&
                       tree_.find(name.data(), name.size(), read.data()) &&
                       read.starts_with(value) && tree_.remove(name.data(), name.size());
    if (!works) note_finding(findings_.unusable, key, "cannot be inserted, read and removed");
  }

  void note_finding(std::uint64_t& count, std::uint32_t key, const std::string& what) {
    ++count;
    ledger_.set_message("key " + std::to_string(key) + " " + what);
  }

  static std::string text(KeyState state) {
    return (state.is_there ? "version " : "removal as version ") + std::to_string(state.version);
  }

  tree_api& tree_;
  const CheckedRecord record_;
  OperationLog& ledger_;
  Findings findings_{};
  std::vector<std::uint32_t> present_;
};

std::int64_t cpu_ns() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return used.tv_sec * ns_per_s + used.tv_nsec;
}

}  // namespace

Findings verify(tree_api& tree, const CrashPlan& plan, OperationLog& log) {
  return Verifier(tree, plan, log).all();
}

void run_verifier(const CrashPlan& plan, const std::string& pool, OperationLog& log) {
  const auto library = PluginLibrary::open(plan.plugin);
  if (!library) return log.set_message(library.error().line());
  const std::int64_t began_ns = now_ns();
  const std::int64_t began_cpu_ns = cpu_ns();
  const auto tree = library->create(plan.tree_options(pool));
  const std::int64_t reopen_ns = now_ns() - began_ns;
  const std::int64_t reopen_cpu_ns = cpu_ns() - began_cpu_ns;
  if (!tree) return log.set_message("does not open again: " + tree.error().line());
  log.phase.store(Phase::opened);
  log.findings = verify(**tree, plan, log);
  log.findings.reopen_ns = reopen_ns;
  log.findings.reopen_cpu_ns = reopen_cpu_ns;
  log.phase.store(Phase::verified);
}

}  // namespace assay::index::crash
