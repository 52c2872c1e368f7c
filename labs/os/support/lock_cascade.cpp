#include <assay/os/support/lock_cascade.hpp>

#include <assay/os/support/descriptors.hpp>

#include <fcntl.h>

#include <utility>

namespace assay::os {

LockIndices::LockIndices(const WorkerId& worker)
    : own_first(2 * worker.index),
      own_second(2 * worker.index + 1),
      next_first(2 * ((worker.index + 1) % worker.workers)),
      next_second(next_first + 1) {
  if (worker.index == worker.workers - 1) std::swap(next_first, next_second);
}

Made<CascadeFiles> CascadeFiles::make(const Setting& setting, const WorkerId& worker) {
  const LockIndices at(worker);
  const std::array<int, 4> indices{at.own_first, at.own_second, at.next_first, at.next_second};
  std::array<FileDescriptor, 4> files;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string path = setting.disk_folder + "/cascade-" + std::to_string(indices.at(i));
    auto file = open_file(path, O_CREAT | O_RDWR);
    if (!file) return file.error();
    files.at(i) = std::move(file).value();
  }
  return std::make_unique<CascadeFiles>(at, std::move(files));
}

int CascadeFiles::of(int index) const {
  if (index == indices_.own_first) return files_[0].number();
  if (index == indices_.own_second) return files_[1].number();
  return files_.at(index == indices_.next_first ? 2 : 3).number();
}

}  // namespace assay::os
