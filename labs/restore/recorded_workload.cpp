#include <assay/restore/recorded_workload.hpp>

#include <assay/restore/catalogue/record_readers.hpp>
#include <assay/restore/compact/compact_tree.hpp>

#include <iostream>
#include <memory>

namespace assay::restore {
namespace {

using Chunks = std::vector<RowChunk>;

/// The rows of a file that a CompactTree accepts, found by inserting all of them. `rejections` gets
/// the others, with their row numbers.
template <class Reader>
Chunks read_chunks(Reader reader, Rejections& rejections) {
  Chunks chunks(1);
  CompactTree tree;
  Intake<CompactTree> intake(tree);
  while (const std::optional<ReadRecord> record = reader.next()) {
    if (record->fault != RowFault::none) {
      intake.reject(record->fault);
    } else if (intake.take(record->columns) == RowFault::none) {
      if (chunks.back().row_count() == RowChunk::usual_rows) chunks.emplace_back();
      for (const std::string_view column : record->columns) chunks.back().add(column);
    }
  }
  for (RowChunk& chunk : chunks) chunk.seal();
  rejections = intake.rejections();
  return chunks;
}

void print_rejections(const std::string& path, const Rejections& rejections) {
  for (const Rejection& one : rejections.first()) {
    std::cerr << path << ": " << one.line() << '\n';
  }
  if (rejections.count() > 0) std::cerr << path << ": " << rejections.count() << " rows rejected\n";
}

}  // namespace

Result<Workload> recorded_workload(const std::string& path, RecordFormat format) {
  const Result<std::string> text = read_text(path);
  if (!text) return text.error();
  Rejections rejections;
  const auto chunks = std::make_shared<const Chunks>(
      format == RecordFormat::csv ? read_chunks(CsvReader(*text), rejections)
                                  : read_chunks(ListingReader(*text), rejections));
  print_rejections(path, rejections);
  Workload workload;
  for (const RowChunk& chunk : *chunks) workload.files += chunk.row_count();
  if (workload.files == 0) return Error{"no row that can be read", path, "see the guide's formats"};
  workload.name = std::string(format == RecordFormat::csv ? "csv/" : "listing/") +
                  std::to_string(workload.files);
  workload.iterations = workload.files <= 200'000 ? 10 : 3;
  workload.rejected = rejections.count();
  workload.source = [chunks](const ChunkSink& sink) {
    for (const RowChunk& chunk : *chunks) sink(chunk);
  };
  return workload;
}

}  // namespace assay::restore
