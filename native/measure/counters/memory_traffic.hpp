// Purpose: bytes that went to and from memory while a piece of code ran, all of the host's.
//
//   assay::MemoryTraffic traffic({"dram-read-bytes", "dram-write-bytes"});
//   traffic.start();
//   work();
//   traffic.stop();
//   for (const auto& c : traffic.read()) {
//     if (c.count) print(c.name, *c.count);  // else traffic.unavailable() says why not
//   }
//
// A memory controller knows nothing of processes: whatever else the host does is in these
// figures. Most hosts let only root (or CAP_PERFMON) count them; virtual machines, hardly any.
//
// Thread safety: belongs to the thread that made it. Cost to the measurement: two system
// calls for each channel of memory, 10 to 100 us, at start and stop; none in between.
#pragma once

#include <assay/measure/counters/perf_group.hpp>
#include <assay/system/file_descriptor.hpp>

#include <string>
#include <vector>

namespace assay {

class MemoryTraffic {
 public:
  explicit MemoryTraffic(std::vector<std::string> names);

  void start();
  void stop();
  [[nodiscard]] std::vector<CounterValue> read();
  [[nodiscard]] const std::vector<std::string>& unavailable() const { return unavailable_; }

 private:
  struct Channel {
    std::string what;
    FileDescriptor file;
    double bytes_per_count;
  };
  void open_channels_of(const std::string& name);
  void switch_all(unsigned long request) const;

  std::vector<std::string> names_;
  std::vector<Channel> channels_;
  std::vector<std::string> unavailable_;
};

}  // namespace assay
