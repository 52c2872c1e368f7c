// The build without libpfm4: generic and raw names only.
#include <assay/measure/counters/counter_event.hpp>

namespace assay {

Result<CounterEvent> libpfm_event(const std::string& name) {
  return Error{"is not a generic counter name, and this build has no libpfm4 to look it up in",
               name, "install libpfm4-dev and build again, or give the raw code, as r1a2b"};
}

}  // namespace assay
