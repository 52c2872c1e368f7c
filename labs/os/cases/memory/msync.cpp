// msync of a mapped file; with -r or -w each page is read or written between two calls.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/mapping.hpp>

#include <sys/mman.h>

namespace assay::os {
namespace {

class Msync final : public Work {
 public:
  static Made<Msync> make(const Setting& setting) {
    auto mapper = Mapper::make(setting);
    if (!mapper) return mapper.error();
    void* const map = mapper->map();
    if (map == MAP_FAILED) return failed("mmap");
    const int how =
        (setting.flag('a') ? MS_ASYNC : MS_SYNC) | (setting.flag('i') ? MS_INVALIDATE : 0);
    return std::make_unique<Msync>(std::move(mapper).value(), map, how);
  }
  Msync(Mapper mapper, void* map, int how) : mapper_(std::move(mapper)), map_(map), how_(how) {}
  ~Msync() override { munmap(map_, mapper_.length()); }

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      if (msync(map_, mapper_.length(), how_) != 0) return failed("msync");
      mapper_.touch(map_);
    }
    return {};
  }

 private:
  const Mapper mapper_;
  void* const map_;
  const int how_;
};

}  // namespace

Case msync_case() {
  std::vector<Option> options = mapping_options();
  options.front().preset = "@disk";
  options.push_back(flag('a', "async", "MS_ASYNC instead of MS_SYNC"));
  options.push_back(flag('i', "invalidate", "MS_INVALIDATE, too"));
  return {.name = "msync", .summary = "msync()", .options = options, .stage = each<Msync>};
}

}  // namespace assay::os
