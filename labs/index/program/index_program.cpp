#include <assay/index/program/index_program.hpp>

#include <assay/index/options/command_line.hpp>
#include <assay/index/report/outputs.hpp>
#include <assay/index/run/supervisor.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr int bad_input = 2;
constexpr int by_signal = 128;

int complain(const std::string& what, int exit_code) {
  std::fprintf(stderr, "assay-index: %s\n", what.c_str());
  return exit_code;
}

int run(const assay::index::Options& options) {
  const auto outputs = assay::index::OutputFiles::open(options.outputs);
  if (!outputs) return complain(outputs.error().line(), bad_input);
  const auto result = assay::index::supervise(options);
  if (!result) return complain(result.error().line(), bad_input);
  const auto written = outputs->write(*result);
  if (!result->failure && !result->warning.empty()) complain("note: " + result->warning, 0);
  if (result->failure) return complain(result->failure->what, result->failure->exit_code);
  if (!written) return complain(written.error().line(), bad_input);
  return result->interrupted_by != 0 ? by_signal + result->interrupted_by : 0;
}

}  // namespace

int assay::index::run_program(int argc, char** argv) {
  const auto line = assay::index::parse_command_line({argv + 1, argv + argc});
  if (!line) return complain(line.error().line(), bad_input);
  if (line->help) {
    std::fputs(line->help->c_str(), stdout);
    return 0;
  }
  return run(line->options);
}
