#include <assay/index/report/outputs.hpp>

#include <assay/index/report/hdr_log.hpp>
#include <assay/index/report/report_assay.hpp>
#include <assay/index/report/report_pibench.hpp>
#include <assay/index/report/result_json.hpp>
#include <assay/record/json_row.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace assay::index {
namespace {

namespace fs = std::filesystem;

std::string hdr_path(const Outputs& outputs) {
  return outputs.hdr_log + ".hlog";
}

Error cannot_write(const std::string& path) {
  return Error{std::string("cannot be written: ") + std::strerror(errno), path};
}

/// A device or a pipe is written to as it is: renaming onto it would replace it.
bool is_special(const std::string& path) {
  std::error_code failed;
  return fs::exists(path, failed) && !fs::is_regular_file(path, failed);
}

Result<bool> write_file(const std::string& path, const std::string& text) {
  const std::string partial = is_special(path) ? path : path + ".partial";
  std::ofstream file(partial, std::ios::binary);
  file << text;
  file.close();
  if (!file) return cannot_write(partial);
  std::error_code failed;
  if (partial != path) fs::rename(partial, path, failed);
  if (failed) return Error{"cannot be written: " + failed.message(), path};
  return true;
}

Result<bool> try_file(const std::string& path) {
  if (fs::path(path).filename().empty()) return Error{"is no name of a file", path};
  if (is_special(path)) return true;
  const std::string partial = path + ".partial";
  if (!std::ofstream(partial)) return cannot_write(path);
  std::error_code ignored;
  fs::remove(partial, ignored);
  return true;
}

std::string text_report(const RunResult& result) {
  switch (result.options.outputs.report) {
    case Report::assay:
      return assay_report(result);
    case Report::pibench:
      return pibench_report(result, read_environment());
    case Report::pibench_v1:
      return pibench_v1_report(result, read_environment());
    case Report::none:
      break;
  }
  return "";
}

Result<bool> print(const std::string& text) {
  if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0) {
    return cannot_write("standard output");
  }
  return true;
}

}  // namespace

Result<OutputFiles> OutputFiles::open(const Outputs& outputs) {
  if (!outputs.json.empty() && outputs.json != "-") {
    if (const auto tried = try_file(outputs.json); !tried) return tried.error();
  }
  if (!outputs.hdr_log.empty()) {
    if (const auto tried = try_file(hdr_path(outputs)); !tried) return tried.error();
  }
  return OutputFiles(outputs);
}

Result<bool> OutputFiles::write(const RunResult& result) const {
  if (auto done = print(text_report(result)); !done) return done;
  if (!outputs_.json.empty()) {
    const std::string text = to_text(to_json(result, context_of_this_host()), 0) + "\n";
    auto done = outputs_.json == "-" ? print(text) : write_file(outputs_.json, text);
    if (!done) return done;
  }
  if (outputs_.hdr_log.empty()) return true;
  return write_file(hdr_path(outputs_), hdr_log(result));
}

}  // namespace assay::index
