// Purpose: the names that a shared library defines and needs, from its file.
//
//   for (const ElfSymbol& symbol : elf_symbols("libtree.so")) print(symbol.name);
//
// Gives the exported names and, unless the file was stripped, those of its own functions and
// tables. Empty where the file is no 64-bit ELF file.
//
// Thread safety: none needed. Cost: reads the tables of symbols, about 1 ms for most libraries.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace assay::index {

struct ElfSymbol {
  std::string name;
  std::uint64_t at;  // offset in bytes from the library's load address
  std::uint64_t bytes;
  bool is_defined;
};

std::vector<ElfSymbol> elf_symbols(const std::filesystem::path& file);

}  // namespace assay::index
