// Purpose: the inner levels of the persistent B+-tree, which say which leaf a key belongs to. They
// are in ordinary memory and are rebuilt from the leaves when a pool is opened.
//
//   LeafIndex index(key_bytes);
//   index.add({low_key_of_the_leaf, header});
//   PmemLeafHeader* leaf = index.leaf_for(key).leaf;
//
// There are two levels: nodes of up to 512 leaves, and one array with the first key of every node.
// Thread safety: one writer or several readers; the caller must make sure of that. Cost: two binary
// searches; keys of up to 8 bytes are compared as integers without touching a leaf.
#pragma once

#include <assay/index/plugins/common/record_forms.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace assay::index {

struct PmemLeafHeader;

class LeafIndex {
 public:
  /// A leaf and the lowest key that belongs to it: `low` points to that key, which is stored in the
  /// leaf.
  struct Entry {
    std::uint64_t word{0};  // the first 8 bytes of the low key, as a big-endian number
    const char* low{nullptr};
    PmemLeafHeader* leaf{nullptr};
  };

  explicit LeafIndex(std::size_t key_bytes) : key_bytes_(key_bytes) {}

  [[nodiscard]] Entry entry(const char* low, PmemLeafHeader* leaf) const {
    return {first_word(low), low, leaf};
  }

  /// The last leaf whose low key is not above `key`. It exists, because the first leaf's low key is
  /// all zeros.
  [[nodiscard]] const Entry& leaf_for(std::string_view key) const {
    const Node& node = nodes_[node_of(key)];
    return *(after(node, key) - 1);
  }

  /// The leaf to the left of the one that `key` belongs to, which must not be the first leaf.
  [[nodiscard]] const Entry& left_neighbour(std::string_view key) const {
    const std::size_t place = node_of(key);
    const Node& node = nodes_[place];
    const auto found = after(node, key) - 1;
    return found == node.begin() ? nodes_[place - 1].back() : *(found - 1);
  }

  void add(const Entry& added) {
    if (nodes_.empty()) {
      nodes_.push_back({added});
      firsts_.push_back(added);
      return;
    }
    const std::string_view key(added.low, key_bytes_);
    const std::size_t place = node_of(key);
    Node& node = nodes_[place];
    node.insert(node.begin() + (after(node, key) - node.begin()), added);
    if (node.size() > most_in_a_node) cut(place);
  }

  void drop(std::string_view key) {
    const std::size_t place = node_of(key);
    Node& node = nodes_[place];
    node.erase(node.begin() + (after(node, key) - 1 - node.begin()));
    if (!node.empty()) {
      firsts_[place] = node.front();
      return;
    }
    nodes_.erase(nodes_.begin() + static_cast<std::ptrdiff_t>(place));
    firsts_.erase(firsts_.begin() + static_cast<std::ptrdiff_t>(place));
  }

 private:
  using Node = std::vector<Entry>;
  static constexpr std::size_t most_in_a_node = 512;

  [[nodiscard]] std::uint64_t first_word(const char* key) const {
    return big_endian({key, std::min<std::size_t>(key_bytes_, 8)});
  }

  [[nodiscard]] Node::const_iterator after(const Node& node, std::string_view key) const {
    const std::uint64_t word = first_word(key.data());
    return std::upper_bound(node.begin(), node.end(), word,
                            [&](std::uint64_t wanted, const Entry& entry) {
                              if (wanted != entry.word || key_bytes_ <= 8) {
                                return wanted < entry.word;
                              }
                              return key < std::string_view(entry.low, key_bytes_);
                            });
  }

  /// The index of the node that `key` belongs to; the first node also for keys below its first key.
  [[nodiscard]] std::size_t node_of(std::string_view key) const {
    const auto found = after(firsts_, key) - firsts_.begin();
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(found - 1, 0));
  }

  void cut(std::size_t place) {
    Node& left = nodes_[place];
    const auto middle = left.begin() + static_cast<std::ptrdiff_t>(left.size() / 2);
    Node right(middle, left.end());
    left.erase(middle, left.end());
    const auto next = static_cast<std::ptrdiff_t>(place) + 1;
    firsts_.insert(firsts_.begin() + next, right.front());
    nodes_.insert(nodes_.begin() + next, std::move(right));
  }

  std::size_t key_bytes_;
  Node firsts_;  // the first entry of each node
  std::vector<Node> nodes_;
};

}  // namespace assay::index
