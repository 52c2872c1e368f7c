// Purpose: the rows of a made-up backup: seeded, any size, a chunk of text at a time.
//
//   SyntheticCatalogue catalogue({.shape = Shape::home, .files = 1'000'000});
//   RowChunk chunk;
//   while (catalogue.next(chunk)) for (const RowText& row : chunk.rows()) intake.take(row);
//
// The shape `nested` has only plain files, as in the Bareos benchmark. The others also have a row
// for each directory, after those of its files, which is how a client sends them; symbolic links
// (1 %), hard links (2 %), and a second job with 5 % of the files again, every fifth as a delta.
// Thread safety: one thread. Cost: some 230 ns a row; never inside a timed region.
#pragma once

#include <assay/base/random.hpp>
#include <assay/restore/catalogue/catalogue_spec.hpp>
#include <assay/restore/rows/row_chunk.hpp>

namespace assay::restore {

class SyntheticCatalogue {
 public:
  explicit SyntheticCatalogue(const CatalogueSpec& spec);

  /// Fills the chunk with the next rows; false, and an empty chunk, when there are none.
  bool next(RowChunk& chunk);

 private:
  struct Job {
    std::uint32_t id;
    std::uint32_t file_index;
  };

  bool next_directory();
  void next_job();
  void add_file(RowChunk& chunk);
  void add_changed_file(RowChunk& chunk, std::uint32_t number);
  void add_directory(RowChunk& chunk);
  void add_row(RowChunk& chunk, std::string_view name, const FileStat& stat,
               std::uint32_t delta_seq);
  void order_names();
  [[nodiscard]] FileStat file_stat();
  [[nodiscard]] bool has_extras() const { return spec_.shape != Shape::nested; }

  CatalogueSpec spec_;
  Random random_;
  Job job_{1, 0};
  std::uint64_t directory_number_{0};
  std::uint64_t files_left_;
  std::uint32_t files_here_{0};
  std::uint32_t next_here_{0};
  // Numbers of this directory's files in the order of their rows; empty: 0, 1, 2 ...
  std::vector<std::uint32_t> order_{};
  std::string path_{};
  std::string name_{};
  std::string lstat_{};
  // The hard link that the next row will be; link_file_index is 0 if the next row is no link.
  FileStat link_{};
};

}  // namespace assay::restore
