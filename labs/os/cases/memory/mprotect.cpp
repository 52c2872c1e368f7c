// mprotect: takes access to a mapping away and gives it back, in turn.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/mapping.hpp>

#include <sys/mman.h>

namespace assay::os {
namespace {

class Mprotect final : public Work {
 public:
  static Made<Mprotect> make(const Setting& setting) {
    auto mapper = Mapper::make(setting);
    if (!mapper) return mapper.error();
    void* const map = mapper->map();
    if (map == MAP_FAILED) return failed("mmap");
    mapper->touch(map);
    return std::make_unique<Mprotect>(std::move(mapper).value(), map, setting.flag('t'));
  }
  Mprotect(Mapper mapper, void* map, bool touches)
      : mapper_(std::move(mapper)), map_(map), touches_(touches) {}
  ~Mprotect() override { munmap(map_, mapper_.length()); }

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      if (open_ && touches_) mapper_.read_pages(map_);
      const int access = open_ ? PROT_NONE : PROT_READ | PROT_WRITE;
      if (mprotect(map_, mapper_.length(), access) != 0) return failed("mprotect");
      open_ = !open_;
    }
    return {};
  }

 private:
  const Mapper mapper_;
  void* const map_;
  const bool touches_;
  bool open_{true};
};

}  // namespace

Case mprotect_case() {
  std::vector<Option> options = mapping_options();
  options.push_back(flag('t', "touch", "read each page before access is taken away again"));
  return {.name = "mprotect",
          .summary = "mprotect(): access taken away and given, in turn",
          .options = options,
          .stage = each<Mprotect>};
}

}  // namespace assay::os
