// Purpose: a number of rows, with the text they point into.
//
//   RowChunk chunk;
//   chunk.add("/etc/").add("hosts")...;   // eight columns a row
//   chunk.seal();
//   for (const RowText& row : chunk.rows()) ...
//
// A chunk is meant to be filled again and again, as a database client does with its row buffer, so
// that it stays in cache.
// Thread safety: one thread. Cost: copies the text.
#pragma once

#include <assay/restore/rows/row.hpp>

#include <string>
#include <vector>

namespace assay::restore {

class RowChunk {
 public:
  static constexpr std::size_t usual_rows = 1024;

  void clear() {
    text_.clear();
    ends_.clear();
    rows_.clear();
  }

  RowChunk& add(std::string_view column) {
    text_ += column;
    ends_.push_back(text_.size());
    return *this;
  }
  RowChunk& add(std::uint64_t number) { return add(std::to_string(number)); }

  [[nodiscard]] std::size_t row_count() const { return ends_.size() / column_count; }

  /// Makes rows() from the columns added. Until clear() nothing may be added, because that may move
  /// the text.
  void seal() {
    rows_.resize(row_count());
    std::size_t begin = 0;
    for (std::size_t i = 0; i < rows_.size() * column_count; ++i) {
      const std::string_view all = text_;
      rows_[i / column_count][i % column_count] = all.substr(begin, ends_[i] - begin);
      begin = ends_[i];
    }
  }

  [[nodiscard]] const std::vector<RowText>& rows() const { return rows_; }

 private:
  std::string text_{};
  std::vector<std::size_t> ends_{};
  std::vector<RowText> rows_{};
};

}  // namespace assay::restore
