// Purpose: keeps mode, link count, owner and group as one number of 16 bits, since only few
// combinations occur.
//
//   StatClasses classes;
//   const std::uint16_t which = classes.intern(stat);   // or StatClasses::full
//   classes.restore(which, stat);
//
// Thread safety: one thread. Cost: one comparison for the combination seen last, a hash for
// another.
#pragma once

#include <assay/restore/rows/row.hpp>
#include <assay/restore/rows/words.hpp>

#include <vector>

namespace assay::restore {

class StatClasses {
 public:
  static constexpr std::uint16_t full = 0xffff;

  /// The number of this combination, which is new or known; `full` for a new one after 65,535
  /// others.
  std::uint16_t intern(const FileStat& stat) {
    const Class wanted{stat.mode, stat.link_count, stat.uid, stat.gid};
    if (last_ < classes_.size() && classes_[last_] == wanted) return last_;
    if (slots_.empty()) slots_.assign(slot_count, full);
    std::size_t slot = hash(wanted) % slot_count;
    for (; slots_[slot] != full; slot = (slot + 1) % slot_count) {
      if (classes_[slots_[slot]] == wanted) return last_ = slots_[slot];
    }
    if (classes_.size() == full) return full;
    slots_[slot] = static_cast<std::uint16_t>(classes_.size());
    classes_.push_back(wanted);
    return last_ = slots_[slot];
  }

  void restore(std::uint16_t which, FileStat& stat) const {
    const Class& kept = classes_[which];
    stat.mode = kept.mode;
    stat.link_count = kept.link_count;
    stat.uid = kept.uid;
    stat.gid = kept.gid;
  }

  [[nodiscard]] std::uint32_t mode(std::uint16_t which) const { return classes_[which].mode; }

  [[nodiscard]] std::size_t memory_bytes() const {
    return classes_.capacity() * sizeof(Class) + slots_.capacity() * sizeof(std::uint16_t);
  }

 private:
  struct Class {
    std::uint32_t mode;
    std::uint32_t link_count;
    std::uint32_t uid;
    std::uint32_t gid;
    bool operator==(const Class&) const = default;
  };
  static constexpr std::size_t slot_count = std::size_t{1} << 17U;

  static std::uint64_t hash(const Class& one) {
    const std::uint64_t first = std::uint64_t{one.mode} << 32U | one.link_count;
    const std::uint64_t second = std::uint64_t{one.uid} << 32U | one.gid;
    return fold_product(first ^ 0xa0761d6478bd642fU, second ^ 0xe7037ed1a0b428dbU);
  }

  std::vector<Class> classes_{};
  std::vector<std::uint16_t> slots_{};
  std::uint16_t last_{0};
};

}  // namespace assay::restore
