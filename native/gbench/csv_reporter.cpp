#include <assay/gbench/csv_reporter.hpp>

#include <assay/gbench/latency_ids.hpp>

namespace assay {

bool CsvReporter::ReportContext(const Context& context) {
  library_.SetOutputStream(&GetOutputStream());
  library_.SetErrorStream(&GetErrorStream());
  return library_.ReportContext(context);
}

void CsvReporter::ReportRuns(const std::vector<Run>& runs) {
  std::vector<Run> shown = runs;
  for (Run& run : shown) run = without_ids(run);
  library_.ReportRuns(shown);
}

}  // namespace assay
