// Purpose: the simplest restore tree: a std::map of children in every node.
//
//   assay::restore::MapTree tree;   // the same commands as CompactTree
//
// It is the baseline of the benchmarks, and the model that tests compare CompactTree with. So it
// is written to be easy to read, and the two share only patterns and the parsing of rows.
// Thread safety: one thread. Cost: some 290 bytes a file; each insertion walks its whole path.
#pragma once

#include <assay/restore/tree/glob.hpp>
#include <assay/restore/tree/restore_tree.hpp>

#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace assay::restore {

class MapTree {
 public:
  MapTree();

  RowFault insert(const ParsedRow& row);

  std::uint64_t mark(std::string_view pattern) { return change(pattern, true); }
  std::uint64_t unmark(std::string_view pattern) { return change(pattern, false); }
  std::uint64_t mark_directory(std::string_view pattern) {
    return change_directories(pattern, true);
  }
  std::uint64_t unmark_directory(std::string_view pattern) {
    return change_directories(pattern, false);
  }

  bool cd(std::string_view path);
  [[nodiscard]] std::string pwd() const;

  void ls(std::string_view pattern, const ListingSink& sink) const;
  void dir(std::string_view pattern, const ListingSink& sink) const;
  void lsmark(std::string_view pattern, const ListingSink& sink) const;
  void find(std::string_view pattern, const ListingSink& sink) const;

  [[nodiscard]] Counts count() const;
  [[nodiscard]] Estimate estimate() const;
  [[nodiscard]] std::vector<BootstrapRange> bootstrap() const;

  /// The memory of nodes, names and maps, malloc's overhead included.
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  using Key = std::pair<std::uint32_t, std::uint32_t>;  // JobId, FileIndex

  struct Node {
    std::string name{};
    Node* parent{nullptr};
    std::map<std::string, std::unique_ptr<Node>, std::less<>> children{};
    bool implied{true};
    bool directory{true};
    bool drive{false};
    bool hard_link{false};
    bool marked{false};
    std::uint64_t marked_below{0};
    FileStat stat{};
    Key key{};
    std::uint32_t delta_seq{0};
    std::vector<Key> delta_parts{};
    std::uint64_t fhinfo{0};
    std::uint64_t fhnode{0};
  };

  [[nodiscard]] Node* look_up(const ParsedRow& row) const;
  Node& find_or_add(const ParsedRow& row);
  Node& child(Node& parent, std::string_view name, bool is_drive);
  [[nodiscard]] static bool is_superseded(const Node& node, const ParsedRow& row);
  RowFault check(const Node* known, const ParsedRow& row);
  RowFault check_link(const Node* known, const ParsedRow& row);
  void keep(Node& node, const ParsedRow& row);
  [[nodiscard]] Node* link_target(const Node& node) const;

  std::uint64_t change(std::string_view pattern, bool marked);
  std::uint64_t change_matching(Node& at, const PathPattern& pattern, std::size_t part,
                                bool marked);
  std::uint64_t change_directories(std::string_view pattern, bool marked);
  std::uint64_t change_with_all_below(Node& node, bool marked);
  static std::uint64_t change_alone(Node& node, bool marked);

  [[nodiscard]] static bool descends(const Node& node);
  [[nodiscard]] static std::string path_of(const Node& node);
  [[nodiscard]] static ListedEntry listed(const Node& node);
  static void list_marked(const Node& node, const Glob& glob, std::size_t depth,
                          const ListingSink& sink);

  std::unique_ptr<Node> root_;
  Node* current_;
  std::vector<Node*> as_they_came_{};
  std::map<Key, Node*> link_targets_{};
  std::map<Key, std::uint32_t> hanging_links_{};
};

}  // namespace assay::restore
