#include <assay/os/cli/command.hpp>

#include <assay/os/harness/case_list.hpp>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <optional>

namespace assay::os {
namespace {

using Take = std::function<Status(Command&, const std::string&)>;

struct CommonOption {
  char letter;  // 0: has no letter, only a name
  std::string_view name;
  std::string_view value;  // name of the value; empty: a flag
  std::string_view help;
  Take take;  // empty: `assay os` handles it
};

Take turn_on(Switch Command::*which) {
  return [which](Command& command, const std::string&) -> Status {
    command.*which = Switch::on;
    return {};
  };
}

Take keep_text(std::string Command::*which) {
  return [which](Command& command, const std::string& written) -> Status {
    command.*which = written;
    return {};
  };
}

Take keep_count(std::int64_t Command::*which) {
  return [which](Command& command, const std::string& written) -> Status {
    const auto count = parse_size(written);
    if (!count) return count.error();
    if (*count < 1) return Error{"must be 1 or more", written};
    if (*count > 1'000'000'000) return Error{"must be 1000000000 or less", written};
    command.*which = *count;
    return {};
  };
}

Take keep_effort(std::int64_t Command::*which) {
  return [take = keep_count(which)](Command& command, const std::string& written) {
    command.effort_given = Switch::on;
    return take(command, written);
  };
}

Take keep_workers(int Setting::*which) {
  return [which](Command& command, const std::string& written) -> Status {
    const auto count = parse_size(written);
    if (!count) return count.error();
    if (*count < 1 || *count > 10'000) return Error{"must lie between 1 and 10000", written};
    command.setting.*which = static_cast<int>(*count);
    return {};
  };
}

Status take_seconds(Command& command, const std::string& written) {
  double seconds = 0;
  const char* const end = written.data() + written.size();
  const auto [stopped, code] = std::from_chars(written.data(), end, seconds);
  if (code != std::errc{} || stopped != end || !(seconds > 0) || seconds > 1e6) {
    return Error{"not a number of seconds", written, "try 5 or 0.5"};
  }
  command.longest_s = seconds;
  command.effort_given = Switch::on;
  return {};
}

std::vector<CommonOption> common_options() {
  return {
      {'1', "one-process", "", "work in one process, without forking",
       turn_on(&Command::one_process)},
      {'A', "align", "", "align samples with the clock's tick", turn_on(&Command::align)},
      {'B', "batch", "N", "calls in a sample (default: as many as the clock needs)",
       keep_count(&Command::batch)},
      {'C', "samples", "N", "samples of each thread (default 100, or more: see --launches)",
       keep_effort(&Command::samples)},
      {'D', "duration", "S", "longest time to measure, in seconds (default 5)", take_seconds},
      {'E', "echo", "", "name and time on standard error", turn_on(&Command::echo)},
      {'H', "no-header", "", "no header line", turn_on(&Command::no_header)},
      {'L', "arguments", "", "show the command line", turn_on(&Command::show_arguments)},
      {'M', "mean", "", "report the mean, not the median", turn_on(&Command::mean)},
      {'N', "name", "NAME", "name in the report (default: the case's)", keep_text(&Command::name)},
      {'P', "processes", "N", "worker processes (default 1)", keep_workers(&Setting::processes)},
      {'S', "statistics", "", "statistics and histogram", turn_on(&Command::statistics)},
      {'T', "threads", "N", "threads in each process (default 1)", keep_workers(&Setting::threads)},
      {0, "launches", "N",
       "processes the samples come from (default 6; assay os without -C, -D and this: 24\n"
       "                              of 12 samples, or more until half of the interval is 1.5 %\n"
       "                              of the figure, within 5 s)",
       keep_effort(&Command::launches)},
      {0, "pin", "WHERE", "each (a worker to a CPU, default), none, or a CPU",
       keep_text(&Command::pin)},
      {0, "subtract-loop", "", "take off what an empty loop costs",
       turn_on(&Command::subtract_loop)},
      {0, "report", "KIND", "libmicro (default) or none", nullptr},
      {0, "json", "FILE", "write the record (- for standard output)", keep_text(&Command::json)},
      {0, "dir", "DIR", "where files are made, and removed again", keep_text(&Command::dir)},
  };
}

// An option that was found, either among those that every case has or among those of this case.
struct FoundOption {
  const CommonOption* common{nullptr};
  const Option* own{nullptr};

  [[nodiscard]] bool takes_value() const {
    return common != nullptr ? !common->value.empty() : own->kind != Option::Kind::flag;
  }
};

class Parser {
 public:
  Parser(Command& command, const std::vector<std::string>& words)
      : command_(command), words_(words), common_(common_options()) {}

  Status parse() {
    for (at_ = 1; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (word == "--") {
        command_.setting.operands.assign(words_.begin() + static_cast<std::ptrdiff_t>(at_) + 1,
                                         words_.end());
        return {};
      }
      Status done = word.starts_with("--")              ? by_name(word.substr(2))
                    : word.size() > 1 && word[0] == '-' ? by_letters(word)
                                                        : operand(word);
      if (!done) return done;
    }
    return {};
  }

 private:
  Status operand(const std::string& word) {
    command_.setting.operands.push_back(word);
    return {};
  }

  Status by_name(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    FoundOption found = found_where([&name](const auto& one) { return one.name == name; });
    if (found.common != nullptr && !found.common->take) found.common = nullptr;
    if (equals == std::string::npos) return use(found, "--" + name, std::nullopt);
    return use(found, "--" + name, word.substr(equals + 1));
  }

  Status by_letters(const std::string& word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const char letter = word[i];
      const FoundOption found =
          found_where([letter](const auto& one) { return one.letter == letter; });
      std::optional<std::string> rest;
      const bool has_value =
          (found.common != nullptr || found.own != nullptr) && found.takes_value();
      if (has_value && i + 1 < word.size()) rest = word.substr(i + 1);
      if (Status done = use(found, std::string("-") + letter, rest); !done) return done;
      if (has_value) break;
    }
    return {};
  }

  template <class Fits>
  [[nodiscard]] FoundOption found_where(const Fits& fits) const {
    FoundOption found;
    for (const CommonOption& one : common_) {
      if (fits(one)) found.common = &one;
    }
    for (const Option& one : command_.what.options) {
      if (fits(one)) found.own = &one;
    }
    return found;
  }

  Status use(const FoundOption& found, const std::string& as, std::optional<std::string> value) {
    if (found.common == nullptr && found.own == nullptr) {
      return Error{"no such option", std::string(command_.what.name) + " " + as,
                   "see assay os list " + std::string(command_.what.name)};
    }
    if (found.takes_value() && !value) {
      if (at_ + 1 >= words_.size()) return Error{"needs a value", as};
      value = words_[++at_];
    }
    if (!found.takes_value() && value) return Error{"takes no value", as};
    const std::string written = value.value_or("");
    Status done = found.common != nullptr ? found.common->take(command_, written)
                                          : command_.setting.set(found.own->letter, written);
    if (done || done.error().where.starts_with("-")) return done;
    return Error{done.error().what, as + " " + done.error().where, done.error().hint};
  }

  Command& command_;
  const std::vector<std::string>& words_;
  std::vector<CommonOption> common_;
  std::size_t at_{1};
};

std::string line_of(char letter, std::string_view name, std::string_view value,
                    std::string_view help) {
  std::string left = letter != 0 ? std::string("  -") + letter + ", --" : std::string("      --");
  left += name;
  if (!value.empty()) left += " " + std::string(value);
  left.resize(std::max<std::size_t>(left.size() + 1, 30), ' ');
  return left + std::string(help) + "\n";
}

// The value of -d of the cascade cases, which is libMicro's letter for what --dir means here.
std::string folder_of_its_own(const Command& command) {
  for (const Option& one : command.what.options) {
    if (one.name == "folder") return command.setting.text(one.letter);
  }
  return "";
}

}  // namespace

Result<Command> parse_command(const std::vector<std::string>& words) {
  if (words.empty()) return Error{"no case named", "assay os", "see assay os list"};
  auto what = find_case(words[0]);
  if (!what) return Error{"no such case", words[0], "see assay os list"};
  Setting setting(what->options);
  Command command{.what = *std::move(what), .setting = std::move(setting), .words = words};
  if (Status done = Parser(command, words).parse(); !done) return done.error();
  if (command.name.empty()) command.name = command.what.name;
  if (on(command.one_process)) command.setting.processes = 1;
  if (command.dir.empty()) command.dir = folder_of_its_own(command);
  return command;
}

std::string shown_words(const Command& command) {
  std::string line;
  for (std::size_t i = 0; i < command.words.size(); ++i) {
    const std::string& word = command.words[i];
    if (word == "--json") {
      ++i;
    } else if (!word.starts_with("--json=")) {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  return line;
}

std::string usage_of(const Case& what) {
  std::string text = std::string(what.name) + ": " + std::string(what.summary) + "\n\n";
  for (const Option& option : what.options) {
    const bool flag = option.kind == Option::Kind::flag;
    std::string help(option.help);
    if (!flag) help += " (default " + std::string(option.preset) + ")";
    text += line_of(option.letter, option.name,
                    flag                                  ? ""
                    : option.kind == Option::Kind::number ? "N"
                                                          : "TEXT",
                    help);
  }
  text += "\nOptions of every case:\n";
  for (const CommonOption& one : common_options()) {
    text += line_of(one.letter, one.name, one.value, one.help);
  }
  return text;
}

}  // namespace assay::os
