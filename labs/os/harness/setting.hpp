// Purpose: how one run of a case is set: the values of its options, its workers, its folders.
//
//   const std::int64_t size = setting.number('s');  // and so flag('n'), text('f'), workers()
//
// Asking for a letter that the case did not declare ends the process: a defect of the case.
// Thread safety: immutable once made. Cost: a lookup in a small map; not for timed loops.
#pragma once

#include <assay/base/result.hpp>
#include <assay/os/harness/option.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace assay::os {

class Setting {
 public:
  int processes{1};
  int threads{1};
  std::vector<std::string> operands{};  // the words after the options
  std::string memory_folder{};          // folder of this run, on tmpfs if possible
  std::string disk_folder{};            // folder of this run, under --dir
  std::string libexec{};                // folder of the programs that cases start

  explicit Setting(const std::vector<Option>& options);

  /// Sets an option to a value as typed; an Error where the option takes a number and `written` is
  /// none.
  Status set(char letter, const std::string& written);

  [[nodiscard]] bool flag(char letter) const;
  [[nodiscard]] std::int64_t number(char letter) const;  // the last one given
  [[nodiscard]] std::vector<std::int64_t> numbers(char letter) const;
  [[nodiscard]] const std::string& text(char letter) const;
  [[nodiscard]] const std::vector<std::string>& written(char letter) const;
  [[nodiscard]] bool given(char letter) const;
  // Whether the case declares this option.
  [[nodiscard]] bool has(char letter) const { return values_.contains(letter); }

  [[nodiscard]] int workers() const { return processes * threads; }

  /// Replaces every text and operand that begins with @ by the path that `path_of` gives for it.
  template <class PathOf>
  Status replace_tokens(const PathOf& path_of) {
    for (auto& [letter, value] : values_) {
      if (value.option.kind != Option::Kind::text) continue;
      for (std::string& word : value.words) {
        const bool replaced = word.starts_with('@');
        if (Status done = replace_token(word, path_of); !done) return done;
        value.given = value.given || replaced;  // a default that is a token counts too
      }
    }
    for (std::string& word : operands) {
      if (Status done = replace_token(word, path_of); !done) return done;
    }
    return {};
  }

 private:
  struct Value {
    Option option;
    std::vector<std::string> words;
    bool given{false};
  };

  template <class PathOf>
  static Status replace_token(std::string& word, const PathOf& path_of) {
    if (word.empty() || word.front() != '@') return {};
    Result<std::string> path = path_of(word);
    if (!path) return path.error();
    word = *path;
    return {};
  }
  [[nodiscard]] const Value& value(char letter) const;

  std::map<char, Value> values_;
};

/// The number in a text such as 10, 10k, 4m or 1g (k is 1024); else an Error.
Result<std::int64_t> parse_size(const std::string& written);

}  // namespace assay::os
