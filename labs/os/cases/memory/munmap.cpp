// munmap of the mappings that prepare() made; with -r or -w prepare() also reads or writes each
// page.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/mapping.hpp>

namespace assay::os {
namespace {

class Munmap final : public MapsInHoles {
 public:
  static Made<Munmap> make(const Setting& setting) {
    return made_of<Munmap>(Mapper::make(setting));
  }
  using MapsInHoles::MapsInHoles;

  Status prepare(Calls calls) override {
    if (Status done = make_room(calls); !done) return done;
    return map(calls);
  }

  Status run(Calls /*calls*/) override { return unmap(); }

  Status undo(Calls /*calls*/) override {
    close_holes();
    return {};
  }
};

}  // namespace

Case munmap_case() {
  return {
      .name = "munmap", .summary = "munmap()", .options = mapping_options(), .stage = each<Munmap>};
}

}  // namespace assay::os
