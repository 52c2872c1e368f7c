// assay-os: one case of the OS lab, measured and reported. `assay os` is its front.
//
//   assay-os exec -E -C 10000 -D 10 -L -S -N exec     a case, with libMicro's options
//   assay-os list                                     the cases, as JSON
//   assay-os catalogue                                the runs of `assay os all`, as JSON
//   assay-os help CASE                                a case's options
//   assay-os facts                                    the host, as libMicro's files begin
//   assay-os report FILE                              a record, as libMicro prints runs
//   assay-os clean                                    remove what killed runs have left
#include <assay/os/cli/command.hpp>
#include <assay/os/cli/launches.hpp>
#include <assay/os/cli/libmicro_facts.hpp>
#include <assay/os/cli/recorded.hpp>
#include <assay/os/cli/report_json.hpp>
#include <assay/os/cli/report_libmicro.hpp>
#include <assay/os/cli/statistics.hpp>
#include <assay/os/harness/case_list.hpp>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace {

namespace os = assay::os;

constexpr int done = 0, bad_input = 2, not_measured = 3;

int complain(const assay::Error& error, int code) {
  std::cerr << "error: " << error.line() << "\n";
  return code;
}

std::string own_folder() {
  std::error_code failed;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? "." : path.parent_path().string();
}

bool put(const std::string& where, const std::string& text) {
  if (where == "-") return static_cast<bool>(std::cout << text << std::flush);
  std::ofstream file(where);
  return static_cast<bool>(file << text << std::flush);
}

int report(const os::Command& command, const os::Measured& measured) {
  double taken_off_ns = 0;
  if (os::on(command.subtract_loop) && !measured.launches.empty()) {
    taken_off_ns = measured.launches.front().loop_ns;
  }
  const auto statistics = os::statistics_of(measured.launches, taken_off_ns);
  if (command.report == os::Report::libmicro) {
    std::cout << os::libmicro_report(command, measured, statistics) << std::flush;
  }
  if (!command.json.empty() &&
      !put(command.json, os::json_report(command, measured, taken_off_ns))) {
    return complain({"cannot be written", "--json " + command.json}, bad_input);
  }
  if (!measured.trouble) return done;
  if (os::is_host_lacking(*measured.trouble)) return done;
  return complain({measured.trouble->line(), command.name}, not_measured);
}

int run(const std::vector<std::string>& words) {
  const auto command = os::parse_command(words);
  if (!command) return complain(command.error(), bad_input);
  auto scratch = os::Scratch::make(command->dir);
  if (!scratch) return complain(scratch.error(), bad_input);
  if (os::on(command->echo)) std::fprintf(stderr, "Running:%20s", command->name.c_str());
  const os::Measured measured = os::measure(*command, *scratch, own_folder());
  if (os::on(command->echo)) {
    std::fprintf(stderr, " for %12.5f seconds\n", static_cast<double>(measured.elapsed_ns) / 1e9);
  }
  if (measured.ended_by != 0) return 128 + measured.ended_by;
  return report(*command, measured);
}

// Making a place to work removes what others have left in it.
int clean() {
  const auto scratch = os::Scratch::make("");
  return scratch ? done : complain(scratch.error(), bad_input);
}

int report_again(const std::string& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto runs = os::recorded_runs(text);
  if (!runs) return complain(runs.error(), bad_input);
  for (os::RecordedRun run : *runs) {
    run.command.show_arguments = os::Switch::on;
    run.command.statistics = os::Switch::on;
    std::cout << os::libmicro_report(run.command, run.measured,
                                     os::statistics_of(run.measured.launches, 0));
  }
  return std::cout.flush() ? done : bad_input;
}

int help(const std::string& name) {
  const auto what = os::find_case(name);
  if (!what) return complain({"no such case", name, "see assay os list"}, bad_input);
  std::cout << os::usage_of(*what);
  return done;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const std::string verb = words.empty() ? "" : words[0];
  if (verb == "list") return put("-", os::json_list()) ? done : bad_input;
  if (verb == "catalogue") return put("-", os::json_catalogue()) ? done : bad_input;
  if (verb == "facts") return put("-", os::libmicro_facts()) ? done : bad_input;
  if (verb == "clean") return clean();
  if (words.size() == 2 && verb == "help") return help(words[1]);
  if (words.size() == 2 && verb == "report") return report_again(words[1]);
  return run(words);
} catch (const std::exception& error) {
  return complain({error.what(), "assay-os"}, not_measured);
}
