// Purpose: patterns of the restore commands: for one name, as with fnmatch(3), and for whole paths.
//
//   const Glob glob("*.[ch]pp");
//   glob.matches("tree.cpp");                  // true
//   const PathPattern pattern("/home/**/*.txt");
//
// `*` matches any characters, `?` one, `[a-z]` and `[!a-z]` one of a set; the character after a `\`
// stands for itself. A character is a UTF-8 sequence, or a byte where the text is no UTF-8. A
// leading '.' is not special. Case matters.
// Thread safety: immutable once made. Cost: there is no backtracking beyond the last `*`, so never
// more than length of name x length of pattern.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::restore {

class Glob {
 public:
  explicit Glob(std::string_view pattern);

  [[nodiscard]] bool matches(std::string_view name) const;

  /// Whether the pattern is `*` (or `**`), which matches every name.
  [[nodiscard]] bool matches_all() const { return kind_ == Kind::everything; }
  /// Whether the pattern has no wildcards, so that it matches only the name text().
  [[nodiscard]] bool is_literal() const { return kind_ == Kind::literal; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  enum class Kind : std::uint8_t { everything, literal, general };

  std::string pattern_;
  std::string text_{};
  Kind kind_{Kind::general};
};

/// A pattern for paths: its components, whether it starts at the root, and which of them are `**`.
class PathPattern {
 public:
  /// One trailing '/' is ignored; an empty or `**` last component means `*`.
  explicit PathPattern(std::string_view pattern);

  [[nodiscard]] bool is_absolute() const { return absolute_; }
  [[nodiscard]] std::size_t size() const { return parts_.size(); }
  [[nodiscard]] const Glob& part(std::size_t i) const { return parts_[i]; }
  /// Whether component i is `**` before the last: it matches the directory and any below it.
  [[nodiscard]] bool is_any_depth(std::size_t i) const { return any_depth_[i]; }
  [[nodiscard]] std::size_t any_depth_count() const;

 private:
  void add(std::string_view part, bool is_last);

  std::vector<Glob> parts_{};
  std::vector<bool> any_depth_{};
  bool absolute_{false};
};

}  // namespace assay::restore
