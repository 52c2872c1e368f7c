// Purpose: mappings of a file, or anonymous ones, as the mmap cases make, touch and end them.
//
//   auto mapper = Mapper::make(setting);      // of -f, -l, -r, -s, -w
//   void* map = mapper->map();  mapper->touch(map);  munmap(map, mapper->length());
//
// Thread safety: any thread may map. Cost: touch() is one access to each page.
#pragma once

#include <assay/os/harness/case.hpp>
#include <assay/system/file_descriptor.hpp>

#include <utility>
#include <vector>

namespace assay::os {

class Mapper {
 public:
  static Result<Mapper> make(const Setting& setting);

  [[nodiscard]] void* map() const;  // MAP_FAILED, with errno, when it fails
  void touch(void* map) const;
  void read_pages(void* map) const;
  [[nodiscard]] std::size_t length() const { return length_; }
  /// A batch holds 64 MB at most, and 256 mappings.
  [[nodiscard]] Calls most_calls() const;

 private:
  Mapper(FileDescriptor file, const Setting& setting);

  FileDescriptor file_;
  std::size_t length_;
  int flags_;
  bool reads_;
  bool writes_;
};

/// Holes in the address space, one for each mapping of a batch, with a page between two holes.
/// Without that page the kernel would merge neighbouring mappings, and the case would time the
/// extension of a mapping, which takes less.
class AddressHoles {
 public:
  AddressHoles() = default;
  ~AddressHoles() { clear(); }
  AddressHoles(const AddressHoles&) = delete;
  AddressHoles& operator=(const AddressHoles&) = delete;

  Status make(Calls count, std::size_t length);
  /// Unmaps the pages that keep the holes apart; what was mapped into the holes stays.
  void clear();

 private:
  std::vector<char*> separators_;
};

/// Base of the cases that map or unmap a batch, each mapping in a hole of its own.
class MapsInHoles : public Work {
 public:
  explicit MapsInHoles(Mapper mapper) : mapper_(std::move(mapper)) {}

  [[nodiscard]] Calls most_calls() const override { return mapper_.most_calls(); }

 protected:
  Status make_room(Calls calls);
  Status map(Calls calls);
  Status unmap();
  void close_holes() { holes_.clear(); }

 private:
  const Mapper mapper_;
  AddressHoles holes_;
  std::vector<void*> maps_;
};

std::vector<Option> mapping_options();

}  // namespace assay::os
