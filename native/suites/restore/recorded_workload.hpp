// Purpose: a benchmark's rows out of a real listing or CSV.
//
//   const Result<Workload> workload = recorded_workload("home.csv", RecordFormat::csv);
//
// Records that cannot be read, and rows that a tree rejects, are told on stderr by their
// number, counted, and left out.
// Thread safety: one thread. Cost: the rows are held in memory; a tree is filled once to try.
#pragma once

#include <assay/suites/restore/restore_benchmarks.hpp>

namespace assay::restore {

enum class RecordFormat : std::uint8_t { csv, listing };

Result<Workload> recorded_workload(const std::string& path, RecordFormat format);

}  // namespace assay::restore
