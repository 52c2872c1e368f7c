#include <assay/gbench/json_file_end.hpp>

#include <assay/gbench/session.hpp>
#include <assay/record/json_row.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <utility>

namespace assay {
namespace {

constexpr const char* brackets = "\n  ]\n}\n";
constexpr const char* ended = "the process ended before this benchmark's result was written";

void write_at_exit() {
  // Global state, because std::atexit passes no argument to a handler.
  const UnfinishedOutput& pending = session().unfinished;
  if (pending.stream == nullptr || pending.owner != getpid()) return;
  *pending.stream << pending.closing << std::flush;
}

}  // namespace

JsonFileEnd::JsonFileEnd(std::vector<std::string> names, std::string path)
    : waiting_(std::move(names)), path_(std::move(path)), owner_(getpid()) {}

std::string JsonFileEnd::closing(const std::string& why) const {
  if (waiting_.empty()) return brackets;
  const nlohmann::ordered_json row{{"name", waiting_.front()},
                                   {"run_name", waiting_.front()},
                                   {"run_type", "iteration"},
                                   {"error_occurred", true},
                                   {"error_message", why}};
  return (has_rows_ ? ",\n" : "\n") + to_text(row, 4) + brackets;
}

void JsonFileEnd::write_after(std::ostream& stream, const std::string& reported) {
  if (!reported.empty()) {
    has_rows_ = true;
    const auto found = std::find(waiting_.begin(), waiting_.end(), reported);
    if (found != waiting_.end()) waiting_.erase(found);  // only one: two may have the same name
  }
  has_begun_ = true;
  stream.flush();  // a child that a benchmark forks would write what is buffered again
  if (path_.empty()) return finish_at_exit(stream);
  end_of_rows_ = stream.tellp();
  const std::string end = closing(ended);
  stream << end;
  const auto size = end_of_rows_ + static_cast<long long>(end.size());
  if (size < longest_) stream << std::string(static_cast<std::size_t>(longest_ - size), ' ');
  longest_ = std::max(longest_, size);
  stream.flush();
  stream.seekp(end_of_rows_);
}

void JsonFileEnd::finish_at_exit(std::ostream& stream) {
  static const bool registered = std::atexit(write_at_exit) == 0;
  if (!registered) return;
  session().unfinished = {&stream, owner_, closing(ended)};
}

void JsonFileEnd::finish(std::ostream& stream) {
  if (path_.empty()) session().unfinished.stream = nullptr;
  stream << brackets << std::flush;
  if (path_.empty()) return;
  std::error_code ignored;  // if this fails, blanks stay at the end, which JSON allows
  std::filesystem::resize_file(path_, static_cast<std::uintmax_t>(stream.tellp()), ignored);
}

void JsonFileEnd::ended_early(const std::string& why) {
  if (!has_begun_) return;
  if (path_.empty()) {
    session().unfinished.closing = closing(why);
    return;
  }
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(end_of_rows_);
  file << closing(why) << std::flush;
  std::error_code ignored;
  std::filesystem::resize_file(path_, static_cast<std::uintmax_t>(file.tellp()), ignored);
}

void leave_if_forked_from(pid_t owner) {
  if (getpid() == owner) return;
  std::cerr << "a benchmark forked, and its child came back from it: the child ends here\n";
  _exit(1);
}

}  // namespace assay
