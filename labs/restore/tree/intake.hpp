// Purpose: parses rows and inserts them into a tree, and counts those that are rejected.
//
//   CompactTree tree;
//   Intake intake(tree);
//   intake.take(columns);        // or many rows at once, which is faster
//   intake.rejections().count();
//
// A rejected row changes nothing, and the next ones are inserted all the same. Rejections have the
// row's number, from 1; the first hundred are kept, all are counted.
// Thread safety: one thread. Cost: a counter for each row.
#pragma once

#include <assay/restore/rows/row_parser.hpp>
#include <assay/restore/tree/restore_tree.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace assay::restore {

struct Rejection {
  std::uint64_t row{0};  // counted from 1
  RowFault fault{RowFault::none};

  /// A message such as "row 7: LStat has fewer than 14 fields".
  [[nodiscard]] std::string line() const {
    return "row " + std::to_string(row) + ": " + std::string(describe(fault));
  }
  bool operator==(const Rejection&) const = default;
};

class Rejections {
 public:
  static constexpr std::size_t most_kept = 100;

  void add(const Rejection& rejection) {
    ++count_;
    if (first_.size() < most_kept) first_.push_back(rejection);
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] const std::vector<Rejection>& first() const { return first_; }

 private:
  std::uint64_t count_{0};
  std::vector<Rejection> first_{};
};

template <RestoreTree Tree>
class Intake {
 public:
  explicit Intake(Tree& tree) : tree_(tree) {}

  RowFault take(Columns columns) {
    ParsedRow row;
    return insert(row, parse_row(columns, row));
  }
  /// Takes several rows. If the tree has expect(), it is called for up to 16 rows before these are
  /// inserted, so that the tree can prefetch what they need.
  void take(std::span<const RowText> rows) {
    std::array<Parsed, most_ahead> ahead;
    for (std::size_t begin = 0; begin < rows.size(); begin += most_ahead) {
      const std::size_t count = std::min(most_ahead, rows.size() - begin);
      for (std::size_t i = 0; i < count; ++i) parse_ahead(rows[begin + i], ahead[i]);
      for (std::size_t i = 0; i < count; ++i) insert(ahead[i].row, ahead[i].fault);
    }
  }
  /// Counts a record that a reader could not split into columns as a rejected row.
  void reject(RowFault fault) { rejections_.add({++rows_, fault}); }

  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] const Rejections& rejections() const { return rejections_; }

 private:
  struct Parsed {
    ParsedRow row;
    RowFault fault;
  };
  static constexpr std::size_t most_ahead = 16;

  void parse_ahead(Columns columns, Parsed& parsed) {
    parsed.fault = parse_row(columns, parsed.row);
    if constexpr (requires { tree_.expect(parsed.row); }) {
      if (parsed.fault == RowFault::none) tree_.expect(parsed.row);
    }
  }

  RowFault insert(const ParsedRow& row, RowFault fault) {
    ++rows_;
    if (fault == RowFault::none) fault = tree_.insert(row);
    if (fault != RowFault::none) rejections_.add({rows_, fault});
    return fault;
  }

  Tree& tree_;
  std::uint64_t rows_{0};
  Rejections rejections_{};
};

}  // namespace assay::restore
