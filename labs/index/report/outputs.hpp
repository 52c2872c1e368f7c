// Purpose: writes a run's results wherever they were asked for.
//
//   const auto files = assay::index::OutputFiles::open(options.outputs);  // before the run
//   if (!files) return files.error();
//   return files->write(result);
//
// Files that cannot be written are found out before anything is measured; a file appears under
// its name only when it is whole. Thread safety: main thread. Cost: after the measurement.
#pragma once

#include <assay/base/result.hpp>
#include <assay/index/options/options.hpp>
#include <assay/index/run/run_result.hpp>

namespace assay::index {

class OutputFiles {
 public:
  static Result<OutputFiles> open(const Outputs& outputs);

  [[nodiscard]] Status write(const RunResult& result) const;

 private:
  explicit OutputFiles(Outputs outputs) : outputs_(std::move(outputs)) {}

  Outputs outputs_;
};

}  // namespace assay::index
