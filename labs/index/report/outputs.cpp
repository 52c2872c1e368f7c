#include <assay/index/report/outputs.hpp>

#include <assay/index/report/hdr_log.hpp>
#include <assay/index/report/report_assay.hpp>
#include <assay/index/report/report_pibench.hpp>
#include <assay/index/report/result_json.hpp>
#include <assay/record/lab_document.hpp>
#include <assay/system/text_file.hpp>

#include <string>

namespace assay::index {
namespace {

std::string hdr_path(const Outputs& outputs) {
  return outputs.hdr_log + ".hlog";
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

Status OutputFiles::write(const RunResult& result) const {
  if (Status done = print(text_report(result)); !done) return done;
  if (!outputs_.json.empty()) {
    if (Status done = write_document(outputs_.json, to_document(result)); !done) return done;
  }
  if (outputs_.hdr_log.empty()) return {};
  return write_file(hdr_path(outputs_), hdr_log(result));
}

}  // namespace assay::index
