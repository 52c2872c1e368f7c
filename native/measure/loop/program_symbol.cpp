#include <assay/measure/loop/program_symbol.hpp>

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace assay {
namespace {

/// The executable's file, mapped into memory; without bytes when it cannot be mapped.
class File {
 public:
  File() noexcept {
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const off_t end = lseek(file, 0, SEEK_END);
    if (end > 0) {
      size_ = static_cast<std::size_t>(end);
      void* const mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
      if (mapped != MAP_FAILED) bytes_ = static_cast<const char*>(mapped);
    }
    close(file);
  }
  ~File() {
    if (bytes_ != nullptr) munmap(const_cast<char*>(bytes_), size_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  /// The array of `count` values at an offset in the file; null when it would end beyond the file.
  template <class Value>
  [[nodiscard]] const Value* at(std::uint64_t offset, std::uint64_t count) const noexcept {
    if (bytes_ == nullptr || offset > size_ || count > (size_ - offset) / sizeof(Value)) {
      return nullptr;
    }
    return reinterpret_cast<const Value*>(bytes_ + offset);
  }

 private:
  const char* bytes_{nullptr};
  std::size_t size_{0};
};

std::uintptr_t load_address() noexcept {
  std::uintptr_t address = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t /*size*/, void* to) {
        *static_cast<std::uintptr_t*>(to) = info->dlpi_addr;
        return 1;  // dl_iterate_phdr lists the program first
      },
      &address);
  return address;
}

bool is_named(const File& file, const Elf64_Shdr& names, const Elf64_Sym& symbol,
              std::string_view name) noexcept {
  if (symbol.st_name >= names.sh_size) return false;
  const std::uint64_t room = names.sh_size - symbol.st_name;
  const auto* const text = file.at<char>(names.sh_offset + symbol.st_name, room);
  return text != nullptr && room > name.size() && name == std::string_view(text, name.size()) &&
         text[name.size()] == '\0';
}

/// The value of the symbol with this name in one symbol table; 0 when the table has none.
std::uintptr_t value_in(const File& file, const Elf64_Shdr& table, const Elf64_Shdr& names,
                        std::string_view name) noexcept {
  const std::uint64_t count = table.sh_size / sizeof(Elf64_Sym);
  const auto* const symbols = file.at<Elf64_Sym>(table.sh_offset, count);
  if (symbols == nullptr) return 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Elf64_Sym& symbol = symbols[i];
    if (symbol.st_value != 0 && is_named(file, names, symbol, name)) return symbol.st_value;
  }
  return 0;
}

}  // namespace

void* program_symbol(const char* name) noexcept {
  const File file;
  const auto* const head = file.at<Elf64_Ehdr>(0, 1);
  if (head == nullptr || head->e_shentsize != sizeof(Elf64_Shdr)) return nullptr;
  const auto* const sections = file.at<Elf64_Shdr>(head->e_shoff, head->e_shnum);
  if (sections == nullptr) return nullptr;
  for (std::size_t i = 0; i < head->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= head->e_shnum) continue;
    const auto value = value_in(file, sections[i], sections[sections[i].sh_link], name);
    if (value != 0) return reinterpret_cast<void*>(load_address() + value);
  }
  return nullptr;
}

}  // namespace assay
