#include <assay/os/support/io/mapping.hpp>

#include <assay/base/do_not_optimize.hpp>
#include <assay/os/support/descriptors.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace assay::os {
namespace {

// The smallest page size: a larger page is touched several times.
constexpr std::size_t page = 4096;
constexpr Calls most_bytes = Calls{64} << 20U;
constexpr Calls most_mappings = 256;
constexpr const char* no_file = "MAP_ANON";

std::size_t page_size() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// Whether the mapping would reach beyond the end of the file: touching it there raises SIGBUS.
bool too_short(const FileDescriptor& file, std::int64_t length) {
  struct stat facts {};
  if (fstat(file.number(), &facts) != 0 || !S_ISREG(facts.st_mode)) return false;
  return facts.st_size < length;
}

}  // namespace

Status MapsInHoles::make_room(Calls calls) {
  maps_.clear();
  maps_.reserve(static_cast<std::size_t>(calls));
  return holes_.make(calls, mapper_.length());
}

Status MapsInHoles::map(Calls calls) {
  for (Calls i = 0; i < calls; ++i) {
    void* const map = mapper_.map();
    if (map == MAP_FAILED) return failed("mmap");
    mapper_.touch(map);
    maps_.push_back(map);
  }
  return {};
}

Status MapsInHoles::unmap() {
  for (void* const map : maps_) {
    if (munmap(map, mapper_.length()) != 0) return failed("munmap");
  }
  return {};
}

std::vector<Option> mapping_options() {
  return {text('f', "file", "/dev/zero", "file that is mapped; MAP_ANON: none"),
          number('l', "length", "8k", "bytes that are mapped"),
          flag('r', "read", "read a byte of each page"),
          flag('s', "shared", "MAP_SHARED instead of MAP_PRIVATE"),
          flag('w', "write", "write a byte of each page")};
}

Result<Mapper> Mapper::make(const Setting& setting) {
  if (setting.number('l') < 1) return Error{"nothing to map", "-l 0"};
  if (setting.text('f') == no_file) return Mapper(FileDescriptor(), setting);
  auto file = open_file(setting.text('f'), O_RDWR);
  if (!file) return file.error();
  if (too_short(*file, setting.number('l'))) {
    return Error{"the file has fewer bytes than are mapped", setting.text('f'), "a smaller -l"};
  }
  return Mapper(std::move(file).value(), setting);
}

Mapper::Mapper(FileDescriptor file, const Setting& setting)
    : file_(std::move(file)),
      length_(static_cast<std::size_t>(setting.number('l'))),
      flags_((setting.flag('s') ? MAP_SHARED : MAP_PRIVATE) | (file_ ? 0 : MAP_ANONYMOUS)),
      reads_(setting.flag('r')),
      writes_(setting.flag('w')) {}

void* Mapper::map() const {
  return mmap(nullptr, length_, PROT_READ | PROT_WRITE, flags_, file_.number(), 0);
}

void Mapper::read_pages(void* map) const {
  const auto* const bytes = static_cast<const volatile char*>(map);
  for (std::size_t at = 0; at < length_; at += page) do_not_optimize(bytes[at]);
}

void Mapper::touch(void* map) const {
  if (reads_) read_pages(map);
  if (!writes_) return;
  auto* const bytes = static_cast<volatile char*>(map);
  for (std::size_t at = 0; at < length_; at += page) bytes[at] = 1;
}

Calls Mapper::most_calls() const {
  return std::clamp<Calls>(most_bytes / static_cast<Calls>(length_), 1, most_mappings);
}

Status AddressHoles::make(Calls count, std::size_t length) {
  const std::size_t page_bytes = page_size();
  const std::size_t hole = (length + page_bytes - 1) / page_bytes * page_bytes;
  const std::size_t each = hole + page_bytes;
  const std::size_t all = static_cast<std::size_t>(count) * each + page_bytes;
  void* const begin = mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (begin == MAP_FAILED) return failed("mmap of room for a batch");
  auto* at = static_cast<char*>(begin);
  separators_.push_back(at);
  for (Calls i = 0; i < count; ++i, at += each) {
    munmap(at + page_bytes, hole);
    separators_.push_back(at + each);
  }
  return {};
}

void AddressHoles::clear() {
  for (char* const at : separators_) munmap(at, page_size());
  separators_.clear();
}

}  // namespace assay::os
