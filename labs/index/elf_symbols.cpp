#include <assay/index/elf_symbols.hpp>

#include <elf.h>

#include <cstring>
#include <fstream>
#include <span>

namespace assay::index {
namespace {

class ElfFile {
 public:
  explicit ElfFile(const std::filesystem::path& path)
      : stream_(path, std::ios::binary), bytes_(size_of(path)) {
    Elf64_Ehdr header{};
    const bool is_read = read(std::span(&header, 1), 0);
    const bool is_elf = is_read && std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
                        header.e_ident[EI_CLASS] == ELFCLASS64 &&
                        header.e_shentsize == sizeof(Elf64_Shdr);
    if (is_elf) sections_ = table<Elf64_Shdr>(header.e_shoff, header.e_shnum);
  }

  [[nodiscard]] const std::vector<Elf64_Shdr>& sections() const { return sections_; }

  void put_symbols(const Elf64_Shdr& section, std::vector<ElfSymbol>& into) {
    if (section.sh_link >= sections_.size()) return;
    const Elf64_Shdr& names = sections_[section.sh_link];
    const std::vector<char> text = table<char>(names.sh_offset, names.sh_size);
    if (text.empty() || text.back() != '\0') return;
    for (const Elf64_Sym& symbol :
         table<Elf64_Sym>(section.sh_offset, section.sh_size / sizeof(Elf64_Sym))) {
      if (symbol.st_name == 0 || symbol.st_name >= text.size()) continue;
      into.push_back({.name = text.data() + symbol.st_name,
                      .at = symbol.st_value,
                      .bytes = symbol.st_size,
                      .is_defined = symbol.st_shndx != SHN_UNDEF});
    }
  }

 private:
  static std::uint64_t size_of(const std::filesystem::path& path) {
    std::error_code failed;
    const auto bytes = std::filesystem::file_size(path, failed);
    return failed ? 0 : bytes;
  }

  template <class T>
  bool read(std::span<T> into, std::uint64_t from) {
    if (from > bytes_ || into.size_bytes() > bytes_ - from) return false;
    stream_.seekg(static_cast<std::streamoff>(from));
    stream_.read(reinterpret_cast<char*>(into.data()),
                 static_cast<std::streamsize>(into.size_bytes()));
    return stream_.good();
  }

  /// Reads `count` entries from offset `from`; empty if the file ends before the last of them.
  template <class T>
  std::vector<T> table(std::uint64_t from, std::uint64_t count) {
    if (count > bytes_ / sizeof(T)) return {};
    std::vector<T> entries(count);
    return read(std::span(entries), from) ? entries : std::vector<T>{};
  }

  std::ifstream stream_;
  std::uint64_t bytes_;
  std::vector<Elf64_Shdr> sections_{};
};

}  // namespace

std::vector<ElfSymbol> elf_symbols(const std::filesystem::path& file) {
  std::vector<ElfSymbol> symbols;
  ElfFile elf(file);
  for (const Elf64_Shdr& section : elf.sections()) {
    const bool has_symbols = section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM;
    if (has_symbols) elf.put_symbols(section, symbols);
  }
  return symbols;
}

}  // namespace assay::index
