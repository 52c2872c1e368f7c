// Purpose: rows for benchmarks from a real listing or CSV file.
//
//   const Result<Workload> workload = recorded_workload("home.csv", RecordFormat::csv);
//
// Records that cannot be read, and rows that a tree rejects, are left out and counted; the first
// hundred are printed on stderr with their numbers.
// Thread safety: one thread. Cost: the rows are held in memory; a tree is filled once to try.
#pragma once

#include <assay/restore/restore_benchmarks.hpp>

namespace assay::restore {

enum class RecordFormat : std::uint8_t { csv, listing };

Result<Workload> recorded_workload(const std::string& path, RecordFormat format);

}  // namespace assay::restore
