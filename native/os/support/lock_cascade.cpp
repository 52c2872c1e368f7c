#include <assay/os/support/lock_cascade.hpp>

#include <assay/os/support/descriptors.hpp>

#include <fcntl.h>

#include <utility>

namespace assay::os {

CascadePlace::CascadePlace(const Place& place)
    : us0(2 * place.index),
      us1(2 * place.index + 1),
      them0(2 * ((place.index + 1) % place.workers)),
      them1(them0 + 1) {
  if (place.index == place.workers - 1) std::swap(them0, them1);
}

Made<CascadeFiles> CascadeFiles::make(const Setting& setting, const Place& place) {
  const CascadePlace at(place);
  const std::array<int, 4> indices{at.us0, at.us1, at.them0, at.them1};
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
  if (index == place_.us0) return files_[0].number();
  if (index == place_.us1) return files_[1].number();
  return files_.at(index == place_.them0 ? 2 : 3).number();
}

}  // namespace assay::os
