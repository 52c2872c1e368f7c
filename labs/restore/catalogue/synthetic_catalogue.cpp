#include <assay/restore/catalogue/synthetic_catalogue.hpp>

#include <assay/restore/catalogue/synthetic_names.hpp>
#include <assay/restore/rows/lstat.hpp>

#include <algorithm>
#include <numeric>

namespace assay::restore {
namespace {

constexpr std::uint32_t last_job = 2;

/// Whether the second job saves a file again, and then as a whole or as a delta.
enum class Again : std::uint8_t { no, whole, delta };

Again change_in_second_job(std::uint64_t seed, std::uint64_t directory, std::uint32_t file) {
  const std::uint64_t chance = SplitMix(seed ^ (directory << 32U) ^ file).next() % 100;
  if (chance >= 5) return Again::no;
  return chance == 0 ? Again::delta : Again::whole;
}

}  // namespace

SyntheticCatalogue::SyntheticCatalogue(const CatalogueSpec& spec)
    : spec_(spec), random_(spec.seed), files_left_(spec.files) {}

bool SyntheticCatalogue::next(RowChunk& chunk) {
  chunk.clear();
  while (chunk.row_count() < RowChunk::usual_rows) {
    if (next_here_ < files_here_) {
      add_file(chunk);
    } else {
      if (files_here_ > 0 && has_extras() && job_.id == 1) add_directory(chunk);
      if (!next_directory()) break;
    }
  }
  chunk.seal();
  return chunk.row_count() > 0;
}

bool SyntheticCatalogue::next_directory() {
  files_here_ = 0;
  next_here_ = 0;
  if (files_left_ == 0) {
    if (!has_extras() || job_.id == last_job) return false;
    next_job();
    return true;
  }
  const auto wanted = files_in(spec_, directory_number_);
  files_here_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, files_left_));
  files_left_ -= files_here_;
  path_.clear();
  append_directory(path_, spec_.shape, directory_number_);
  ++directory_number_;
  link_ = {};
  order_names();
  return true;
}

void SyntheticCatalogue::next_job() {
  job_ = {job_.id + 1, 0};
  directory_number_ = 0;
  files_left_ = spec_.files;
}

void SyntheticCatalogue::order_names() {
  order_.clear();
  if (spec_.order == NameOrder::numeric) return;
  order_.resize(files_here_);
  std::iota(order_.begin(), order_.end(), 0U);
  if (spec_.order == NameOrder::reversed) std::reverse(order_.begin(), order_.end());
  if (spec_.order == NameOrder::shuffled) std::shuffle(order_.begin(), order_.end(), random_);
}

void SyntheticCatalogue::add_file(RowChunk& chunk) {
  const std::uint32_t number = order_.empty() ? next_here_ : order_[next_here_];
  ++next_here_;
  name_.clear();
  append_file(name_, spec_.shape, directory_number_ - 1, number);
  if (job_.id > 1) {
    add_changed_file(chunk, number);
    return;
  }
  if (link_.link_file_index != 0) {  // this name becomes a hard link to the file just added
    add_row(chunk, name_, link_, 0);
    link_ = {};
    return;
  }
  FileStat stat = file_stat();
  const std::uint64_t chance = has_extras() ? random_.below(100) : 100;
  if (chance == 0) stat.mode = mode_symlink | 0777U;
  if (chance == 1 || chance == 2) stat.link_count = 2;
  add_row(chunk, name_, stat, 0);
  if (stat.link_count > 1) link_ = stat;
  if (stat.link_count > 1) link_.link_file_index = job_.file_index;
}

void SyntheticCatalogue::add_changed_file(RowChunk& chunk, std::uint32_t number) {
  const Again how = change_in_second_job(spec_.seed, directory_number_ - 1, number);
  if (how == Again::no) return;
  add_row(chunk, name_, file_stat(), how == Again::delta ? 1 : 0);
}

void SyntheticCatalogue::add_directory(RowChunk& chunk) {
  const FileStat stat{mode_directory | 0755U, 2, 1000, 1000, 4096, 1'500'000'000, 0};
  add_row(chunk, "", stat, 0);
}

void SyntheticCatalogue::add_row(RowChunk& chunk, std::string_view name, const FileStat& stat,
                                 std::uint32_t delta_seq) {
  ++job_.file_index;
  const std::uint32_t first_name =
      stat.link_file_index == 0 ? job_.file_index : stat.link_file_index;
  lstat_.clear();
  append_lstat(lstat_, stat, 1'000'000 + std::uint64_t{first_name});
  chunk.add(path_).add(name).add(job_.file_index).add(job_.id).add(lstat_).add(delta_seq);
  chunk.add("0").add("0");
}

FileStat SyntheticCatalogue::file_stat() {
  const std::uint64_t chance = random_();
  const std::uint64_t magnitude = 4 + chance % 20;  // upper bounds of sizes: 16 bytes to 8 MiB
  FileStat stat;
  stat.mode = mode_regular | ((chance >> 8U) % 4 == 0 ? 0600U : 0644U);
  stat.link_count = 1;
  stat.uid = 1000 + static_cast<std::uint32_t>((chance >> 16U) % 8);
  stat.gid = 1000;
  stat.size_bytes = static_cast<std::int64_t>((chance >> 24U) & ((1ULL << magnitude) - 1));
  stat.mtime_s = 1'500'000'000 + static_cast<std::int64_t>((chance >> 32U) % 100'000'000);
  return stat;
}

}  // namespace assay::restore
