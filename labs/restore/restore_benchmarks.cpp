#include <assay/restore/restore_benchmarks.hpp>

namespace assay::restore {

Workload synthetic_workload(const CatalogueSpec& spec) {
  constexpr std::uint64_t quick = 200'000;  // most files of a tree that takes some 20 ms to build
  constexpr std::uint64_t bearable = 2'000'000;
  Workload workload;
  workload.name = std::string(name_of(spec.shape)) + "/" + std::string(name_of(spec.order)) + "/" +
                  std::to_string(spec.files);
  workload.files = spec.files;
  workload.iterations = spec.files <= quick ? 10 : spec.files <= bearable ? 3 : 1;
  workload.source = [spec](const ChunkSink& sink) {
    SyntheticCatalogue catalogue(spec);
    RowChunk chunk;
    while (catalogue.next(chunk)) sink(chunk);
  };
  return workload;
}

}  // namespace assay::restore
