#include <assay/restore/resident_memory.hpp>

#include <fstream>
#include <string>

namespace assay::restore {
namespace {

/// A value of /proc/self/status in bytes, from a line such as "VmHWM:     1234 kB".
std::uint64_t status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::uint64_t kib = 0;
    if (word == key && status >> kib) return kib * 1024;
  }
  return 0;
}

}  // namespace

bool reset_peak_resident() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  return file.good();
}

std::uint64_t peak_resident_bytes() {
  return status_bytes("VmHWM:");
}
std::uint64_t resident_bytes() {
  return status_bytes("VmRSS:");
}

}  // namespace assay::restore
