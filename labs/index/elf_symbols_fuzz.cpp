// libFuzzer target: no file that is taken for a plug-in may crash the reader of its symbols.
//
//   cmake --preset fuzz && cmake --build build/fuzz --target elf_symbols_fuzz
//   build/fuzz/tests/elf_symbols_fuzz -max_total_time=60 FOLDER_WITH_A_SMALL_LIBRARY
#include <assay/index/elf_symbols.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

// NOLINTBEGIN(readability-identifier-naming): libFuzzer's name for it
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int file = memfd_create("library", 0);
  if (ftruncate(file, 0) != 0) std::abort();
  if (pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  for (const auto& symbol : assay::index::elf_symbols("/proc/self/fd/" + std::to_string(file))) {
    if (symbol.name.size() > size) std::abort();
  }
  return 0;
}
// NOLINTEND(readability-identifier-naming)
