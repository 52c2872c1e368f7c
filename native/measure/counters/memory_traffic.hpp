// Purpose: counts the bytes that the whole host moved to and from memory while a piece of code ran.
//
//   assay::MemoryTraffic traffic({"dram-read-bytes", "dram-write-bytes"});
//   traffic.start();
//   work();
//   traffic.stop();
//   for (const auto& c : traffic.read()) {
//     if (c.count) print(c.name, *c.count);  // else traffic.unavailable() says why not
//   }
//
// A memory controller knows nothing of processes, so whatever else the host does is in these
// figures. Most hosts let only root (or CAP_PERFMON) count them; virtual machines hardly ever have
// these counters. Units: bytes. Errors: a name without a count has a reason in unavailable().
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
  /// Opens the counters of all memory channels. `names`: dram-read-bytes, dram-write-bytes, and
  /// pmem-read-bytes, pmem-write-bytes for persistent memory.
  explicit MemoryTraffic(std::vector<std::string> names);

  void start();
  void stop();
  /// Bytes in all spans between a start() and the next stop(), in the order the names were given.
  [[nodiscard]] std::vector<CounterValue> read();
  /// "name: reason" for each name without a count. Call it after read().
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
