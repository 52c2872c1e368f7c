// A B+-tree in persistent memory, on libpmemobj: the pool is the file --pool_path (on a DAX mount,
// or an ordinary file), made with --pool_size bytes (1 GiB when 0) unless it is there.
//
//   PMEM_IS_PMEM_FORCE=1   libpmem's own: flush cache lines on an ordinary file too, instead of
//                          msync. What is acknowledged then survives the death of the process and,
//                          without persistent memory, no power failure.
//
// Leaves are persistent (pmem_leaf.hpp: a change takes effect by one store of eight bytes), the
// inner levels are not (leaf_index.hpp); so opening a pool takes time in proportion to its leaves.
// Leaves are made and freed in libpmemobj transactions. With several threads operations share a
// lock on the inner levels, which making or freeing a leaf takes alone; leaves share 1,024 locks.
#include <assay/index/plugins/common/complaint.hpp>
#include <assay/index/plugins/common/pool_path.hpp>
#include <assay/index/plugins/common/scan_buffer.hpp>
#include <assay/index/plugins/pmem/leaf_index.hpp>
#include <assay/index/plugins/pmem/pmem_leaf.hpp>
#include <assay/index/plugins/pmem/pmem_pool.hpp>

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <vector>

namespace assay::index {
namespace {

constexpr std::size_t pool_size_unless_given = std::size_t{1} << 30U;
constexpr const char* layout = "assay-pmem-btree-1";

/// The root object of a pool, in persistent memory. first_leaf is 0 until the pool is ready.
struct PmemRoot {
  std::uint64_t key_bytes;
  std::uint64_t value_bytes;
  std::uint64_t first_leaf;
};

/// The leaves of one pool. Making, linking and freeing a leaf are atomic: each happens as a whole
/// or not at all.
class PmemLeaves {
 public:
  PmemLeaves(PmemPoolHandle pool, const PmemLeafShape& shape)
      : pool_(std::move(pool)), shape_(shape), root_oid_(pmemobj_root(get(), sizeof(PmemRoot))) {}

  [[nodiscard]] PMEMobjpool* get() const { return pool_.get(); }
  [[nodiscard]] PmemRoot* root() const { return static_cast<PmemRoot*>(pmemobj_direct(root_oid_)); }
  [[nodiscard]] PmemLeaf leaf(PmemLeafHeader* header) const { return {shape_, header}; }
  [[nodiscard]] PmemLeafHeader* header(std::uint64_t offset) const {
    return static_cast<PmemLeafHeader*>(pmemobj_direct({root_oid_.pool_uuid_lo, offset}));
  }

  /// Gives a new pool its sizes and an empty leaf; false if there is no room.
  [[nodiscard]] bool prepare() const {
    if (root()->first_leaf != 0) return true;
    PmemTransaction change(get());
    const std::string lowest(shape_.key_bytes(), '\0');
    PmemLeafHeader* const made = make(change, lowest);
    if (made == nullptr || !may_change(root(), sizeof(PmemRoot))) return false;
    *root() = {shape_.key_bytes(), shape_.value_bytes(), offset(made)};
    return change.commit();
  }

  /// Moves the records in the slots `moved` to a new leaf to the right with low key `low`, and
  /// returns that leaf; nullptr if there is no room.
  [[nodiscard]] PmemLeafHeader* split_leaf(PmemLeafHeader* left,
                                           const std::vector<std::size_t>& moved,
                                           std::string_view low) const {
    PmemTransaction change(get());
    PmemLeafHeader* const right = make(change, low);
    if (right == nullptr || !may_change(left, sizeof *left)) return nullptr;
    std::uint64_t kept = left->used;
    for (std::size_t slot = 0; slot < moved.size(); ++slot) {
      leaf(right).fill(slot, leaf(left).key(moved[slot]), leaf(left).value(moved[slot]));
      kept &= ~PmemLeaf::bit(moved[slot]);
    }
    right->next = left->next;
    left->next = offset(right);
    left->used = kept;
    return change.commit() ? right : nullptr;
  }

  [[nodiscard]] bool unlink(PmemLeafHeader* left, const PmemLeafHeader* gone) const {
    PmemTransaction change(get());
    if (!change.is_working() || !may_change(left, sizeof *left)) return false;
    left->next = gone->next;
    if (pmemobj_tx_free({root_oid_.pool_uuid_lo, gone->allocation}) != 0) return false;
    return change.commit();
  }

 private:
  static bool may_change(void* start, std::size_t bytes) {
    return pmemobj_tx_add_range_direct(start, bytes) == 0;
  }

  /// Allocates a leaf. libpmemobj aligns to 16 bytes, but the header must start at a cache line.
  [[nodiscard]] PmemLeafHeader* make(const PmemTransaction& change, std::string_view low) const {
    constexpr std::uint64_t line = alignof(PmemLeafHeader);
    if (!change.is_working()) return nullptr;
    const PMEMoid made = pmemobj_tx_zalloc(shape_.leaf_bytes() + line, 0);
    if (OID_IS_NULL(made)) return nullptr;
    PmemLeafHeader* const aligned = header((made.off + line - 1) / line * line);
    aligned->allocation = made.off;
    std::memcpy(leaf(aligned).low(), low.data(), low.size());
    return aligned;
  }

  [[nodiscard]] std::uint64_t offset(const PmemLeafHeader* header) const {
    return pmemobj_oid(header).off;
  }

  PmemPoolHandle pool_;
  const PmemLeafShape shape_;
  const PMEMoid root_oid_;
};

class PmemBtree final : public tree_api {
 public:
  PmemBtree(PmemPoolHandle pool, const tree_options_t& options)
      : shape_(options.key_size, options.value_size),
        parallel_(options.num_threads > 1),
        leaves_(std::move(pool), shape_),
        index_(shape_.key_bytes()) {}

  /// Adds the pool's leaves to the inner levels; makes the first leaf in a new pool.
  Status open() {
    const PmemRoot* const root = leaves_.root();
    if (root == nullptr || !leaves_.prepare()) return Error{pmemobj_errormsg()};
    if (root->key_bytes != shape_.key_bytes() || root->value_bytes != shape_.value_bytes()) {
      return Error{"the pool was made for keys of " + std::to_string(root->key_bytes) +
                       " bytes and values of up to " + std::to_string(root->value_bytes),
                   "", "give --key_size and --value_size as then, or another --pool_path"};
    }
    for (std::uint64_t next = root->first_leaf; next != 0;) {
      const PmemLeaf leaf = leaves_.leaf(leaves_.header(next));
      index_.add(index_.entry(leaf.low(), leaf.header()));
      next = leaf.header()->next;
    }
    return {};
  }

  bool find(const char* key, std::size_t key_size, char* value_out) override {
    const std::string_view wanted(key, key_size);
    if (!fits(wanted)) return false;
    const auto shared = hold<Shared>(index_lock_);
    const PmemLeaf leaf = leaf_of(wanted);
    const auto reading = hold<Shared>(lock_of(leaf));
    const int slot = leaf.find(wanted);
    if (slot < 0) return false;
    const std::string_view value = leaf.value(static_cast<std::size_t>(slot));
    value.copy(value_out, value.size());
    return true;
  }

  bool insert(const char* key, std::size_t key_size, const char* value,
              std::size_t value_size) override {
    const std::string_view wanted(key, key_size);
    const std::string_view added(value, value_size);
    if (!fits(wanted, added)) return false;
    return change(wanted, [&](const PmemLeaf& leaf) {
      if (leaf.find(wanted) >= 0) return Outcome::no;
      if (leaf.full()) return Outcome::needs_room;
      leaf.put(leaves_.get(), wanted, added, -1);
      return Outcome::yes;
    });
  }

  bool update(const char* key, std::size_t key_size, const char* value,
              std::size_t value_size) override {
    const std::string_view wanted(key, key_size);
    const std::string_view changed(value, value_size);
    if (!fits(wanted, changed)) return false;
    return change(wanted, [&](const PmemLeaf& leaf) {
      const int slot = leaf.find(wanted);
      if (slot < 0) return Outcome::no;
      if (leaf.full()) return Outcome::needs_room;
      leaf.put(leaves_.get(), wanted, changed, slot);
      return Outcome::yes;
    });
  }

  bool remove(const char* key, std::size_t key_size) override {
    const std::string_view wanted(key, key_size);
    if (!fits(wanted)) return false;
    bool is_empty = false;
    const bool removed = change(wanted, [&](const PmemLeaf& leaf) {
      const int slot = leaf.find(wanted);
      if (slot < 0) return Outcome::no;
      leaf.clear(leaves_.get(), slot);
      is_empty = leaf.empty();
      return Outcome::yes;
    });
    if (is_empty) free_leaf_of(wanted);
    return removed;
  }

  int scan(const char* key, std::size_t key_size, int scan_size, char*& values_out) override {
    ScanBuffer& found = ScanBuffer::of_this_thread();
    const std::string_view from(key, key_size);
    int records = 0;
    if (fits(from) && scan_size > 0) {
      const auto shared = hold<Shared>(index_lock_);
      PmemLeafHeader* header = leaf_of(from).header();
      while (header != nullptr && records < scan_size) {
        records += scan_leaf(leaves_.leaf(header), from, scan_size - records, found);
        header = header->next == 0 ? nullptr : leaves_.header(header->next);
      }
    }
    values_out = found.data();
    return records;
  }

 private:
  using Shared = std::shared_lock<std::shared_mutex>;
  using Alone = std::unique_lock<std::shared_mutex>;
  enum class Outcome { yes, no, needs_room };
  static constexpr const char* full_pool = "the pool is full; give more --pool_size: ";

  template <class Lock>
  Lock hold(std::shared_mutex& mutex) const {
    return parallel_ ? Lock(mutex) : Lock();
  }

  std::shared_mutex& lock_of(const PmemLeaf& leaf) {
    const auto address = reinterpret_cast<std::uintptr_t>(leaf.header());
    return locks_[address / shape_.leaf_bytes() % locks_.size()].mutex;
  }

  [[nodiscard]] PmemLeaf leaf_of(std::string_view key) const {
    return leaves_.leaf(index_.leaf_for(key).leaf);
  }

  bool fits(std::string_view key, std::string_view value = {}) {
    if (key.size() == shape_.key_bytes() && value.size() <= shape_.value_bytes()) return true;
    return complaint_.refuse("a record of " + std::to_string(key.size()) + "+" +
                             std::to_string(value.size()) + " bytes does not fit into slots of " +
                             std::to_string(shape_.key_bytes()) + "+" +
                             std::to_string(shape_.value_bytes()));
  }

  /// Calls `step` with the leaf of `key`, which it may change. If `step` needs room, makes some and
  /// calls it again.
  template <class Step>
  bool change(std::string_view key, Step step) {
    Outcome outcome{};
    {
      const auto shared = hold<Shared>(index_lock_);
      const PmemLeaf leaf = leaf_of(key);
      const auto writing = hold<Alone>(lock_of(leaf));
      outcome = step(leaf);
    }
    if (outcome == Outcome::needs_room) {
      const auto alone = hold<Alone>(index_lock_);
      while ((outcome = step(leaf_of(key))) == Outcome::needs_room) {
        if (!make_room(key)) return complaint_.refuse(full_pool + std::string(pmemobj_errormsg()));
      }
    }
    return outcome == Outcome::yes;
  }

  /// Call it only with the index lock held exclusively. Moves the upper half of the leaf to a new
  /// one; for a key above all others it moves nothing, so that inserting ascending keys leaves full
  /// leaves.
  bool make_room(std::string_view key) {
    const PmemLeaf leaf = leaf_of(key);
    std::vector<std::size_t> slots = in_order(leaf);
    const bool is_last = leaf.header()->next == 0 && leaf.key(slots.back()) < key;
    const std::size_t kept = is_last ? slots.size() : slots.size() / 2;
    slots.erase(slots.begin(), slots.begin() + static_cast<std::ptrdiff_t>(kept));
    const std::string low(slots.empty() ? key : leaf.key(slots.front()));
    PmemLeafHeader* const right = leaves_.split_leaf(leaf.header(), slots, low);
    if (right == nullptr) return false;
    index_.add(index_.entry(leaves_.leaf(right).low(), right));
    return true;
  }

  /// Frees the leaf of `key`, unless a record was inserted meanwhile or it is the first leaf. If
  /// freeing fails, an empty leaf stays, which does no harm.
  void free_leaf_of(std::string_view key) {
    const auto alone = hold<Alone>(index_lock_);
    const LeafIndex::Entry entry = index_.leaf_for(key);
    if (!leaves_.leaf(entry.leaf).empty()) return;
    if (entry.leaf == leaves_.header(leaves_.root()->first_leaf)) return;
    const std::string low(entry.low, shape_.key_bytes());
    if (leaves_.unlink(index_.left_neighbour(low).leaf, entry.leaf)) index_.drop(low);
  }

  [[nodiscard]] static std::vector<std::size_t> in_order(const PmemLeaf& leaf) {
    std::vector<std::size_t> slots;
    for (std::uint64_t left = leaf.header()->used; left != 0; left &= left - 1) {
      slots.push_back(static_cast<std::size_t>(std::countr_zero(left)));
    }
    std::sort(slots.begin(), slots.end(),
              [&](std::size_t a, std::size_t b) { return leaf.key(a) < leaf.key(b); });
    return slots;
  }

  int scan_leaf(const PmemLeaf& leaf, std::string_view from, int most, ScanBuffer& found) {
    const auto reading = hold<Shared>(lock_of(leaf));
    int records = 0;
    for (const std::size_t slot : in_order(leaf)) {
      if (records == most) break;
      if (leaf.key(slot) < from) continue;
      found.append(leaf.key(slot));
      found.append(leaf.value(slot));
      ++records;
    }
    return records;
  }

  struct alignas(64) LeafLock {
    std::shared_mutex mutex{};
  };

  const PmemLeafShape shape_;
  const bool parallel_;
  PmemLeaves leaves_;
  LeafIndex index_;
  std::shared_mutex index_lock_;
  std::array<LeafLock, 1024> locks_{};
  Complaint complaint_{"pmem_btree"};
};

Result<std::unique_ptr<tree_api>> open_pmem_btree(const tree_options_t& options) {
  const auto file = pool_file(options);
  if (!file) return file.error();
  if (options.key_size == 0) return Error{"keys of 0 bytes", "", "give --key_size"};
  const std::size_t bytes = options.pool_size != 0 ? options.pool_size : pool_size_unless_given;
  auto pool = open_pmem_pool(*file, bytes, layout);
  if (!pool) return pool.error();
  auto tree = std::make_unique<PmemBtree>(std::move(pool).value(), options);
  if (const Status opened = tree->open(); !opened) {
    Error failed = opened.error();
    failed.where = *file;
    return failed;
  }
  return std::unique_ptr<tree_api>(std::move(tree));
}

}  // namespace
}  // namespace assay::index

extern "C" tree_api* create_tree(const tree_options_t& options) {
  return assay::index::create_or_say("pmem_btree",
                                     [&] { return assay::index::open_pmem_btree(options); });
}
