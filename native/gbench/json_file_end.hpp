// Purpose: a file of results that is whole at every moment, however the process ends.
//
//   JsonFileEnd end(names, path);
//   end.write_after(stream, "");              // after the context
//
//   end.write_after(stream, "BM_first");      // after each benchmark's rows
//   end.finish(stream);
//
// Behind the rows written so far stand a row for the next benchmark, with error_message
// "the process ended before ...", and the closing brackets. The next rows overwrite them.
// So exit, _exit, a signal or a power cut leaves valid JSON with all that was measured, and
// names what was not. Standard output cannot be overwritten: there the end is written when
// the process exits, and a signal leaves it open.
//
// Thread safety: none; reporters run in the main thread. Cost: one write between benchmarks.
#pragma once

#include <sys/types.h>

#include <iosfwd>
#include <string>
#include <vector>

namespace assay {

/// Ends this process where it is not `owner`: a child that came back from the benchmark that forked
/// it would write its parent's results a second time.
void leave_if_forked_from(pid_t owner);

class JsonFileEnd {
 public:
  /// `names`: the benchmarks that will run, in order. `path`: the file; empty for standard output.
  JsonFileEnd(std::vector<std::string> names, std::string path);

  void write_after(std::ostream& stream, const std::string& reported);
  void finish(std::ostream& stream);

  /// Writes `why` as the error of the benchmark that was running, because it threw an exception.
  /// The library may have closed the stream by then.
  void ended_early(const std::string& why);

 private:
  [[nodiscard]] std::string closing(const std::string& why) const;
  void finish_at_exit(std::ostream& stream);

  std::vector<std::string> waiting_;
  std::string path_;
  pid_t owner_;
  long long end_of_rows_{0};
  // The file's size so far, in bytes: a shorter end is padded with blanks up to it.
  long long longest_{0};
  bool has_rows_{false};
  bool has_begun_{false};
};

}  // namespace assay
