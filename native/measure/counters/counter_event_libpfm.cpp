// The build with libpfm4: its tables know thousands of events by the vendors' names.
#include <assay/measure/counters/counter_event.hpp>

#include <perfmon/pfmlib_perf_event.h>

#include <cstring>

namespace assay {

Result<CounterEvent> libpfm_event(const std::string& name) {
  static const int initialised = pfm_initialize();  // detects the CPU
  if (initialised != PFM_SUCCESS) {
    return Error{std::string("libpfm4 cannot be used: ") + pfm_strerror(initialised), name};
  }
  perf_event_attr attributes;  // libpfm4 wants it zeroed, and sets the fields of the event
  std::memset(&attributes, 0, sizeof attributes);
  attributes.size = sizeof attributes;
  pfm_perf_encode_arg_t request;
  std::memset(&request, 0, sizeof request);
  request.attr = &attributes;
  request.size = sizeof request;
  const int code =
      pfm_get_os_event_encoding(name.c_str(), PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &request);
  if (code != PFM_SUCCESS) {
    return Error{std::string("libpfm4 does not know it on this CPU: ") + pfm_strerror(code), name,
                 "see `perf list`, or libpfm4's showevtinfo"};
  }
  return CounterEvent{.name = name,
                      .type = attributes.type,
                      .config = attributes.config,
                      .config1 = attributes.config1,
                      .config2 = attributes.config2,
                      .in_user = attributes.exclude_user == 0,
                      .in_kernel = attributes.exclude_kernel == 0};
}

}  // namespace assay
