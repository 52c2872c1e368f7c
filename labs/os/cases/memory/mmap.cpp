// mmap, and with -r or -w the first touch of each page.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/mapping.hpp>

namespace assay::os {
namespace {

class Mmap final : public MapsInHoles {
 public:
  static Made<Mmap> make(const Setting& setting) { return made_of<Mmap>(Mapper::make(setting)); }
  using MapsInHoles::MapsInHoles;

  Status prepare(Calls calls) override { return make_room(calls); }

  Status run(Calls calls) override { return map(calls); }

  Status undo(Calls /*calls*/) override {
    Status done = unmap();
    close_holes();
    return done;
  }
};

}  // namespace

Case mmap_case() {
  return {.name = "mmap",
          .summary = "mmap(), and touching the pages",
          .options = mapping_options(),
          .stage = each<Mmap>};
}

}  // namespace assay::os
