// Each thread walks through the memory of all threads, one after the other, and writes to it: the
// lines that another thread wrote last come from that CPU's cache. Threads run on CPUs of their own
// unless --pin says otherwise.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <algorithm>
#include <mutex>

namespace assay::os {
namespace {

constexpr std::size_t stride = 128;  // pointers from one link to the next: 1 KiB

// A ring of pointers through `bytes` bytes: each pointer leads `stride` places back.
class PointerRing {
 public:
  explicit PointerRing(std::size_t bytes) : links_(std::max(bytes / sizeof(void*), stride)) {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      links_[i] = &links_[(i + links_.size() - stride) % links_.size()];
    }
  }

  // Follows the ring once, reading and writing each link.
  void walk() {
    const std::lock_guard<std::mutex> turn(lock_);
    const std::size_t steps = links_.size() / stride;
    void** at = links_.data();
    for (std::size_t i = 0; i < steps; ++i) {
      *at = opaque_value(*at);
      at = static_cast<void**>(*at);
    }
    do_not_optimize(at);
  }

 private:
  std::vector<void*> links_;
  std::mutex lock_;
};

struct Rings {
  explicit Rings(const Setting& setting)
      : bytes(static_cast<std::size_t>(setting.number('s'))),
        of_thread(static_cast<std::size_t>(setting.threads)) {}

  std::size_t bytes;
  std::vector<std::unique_ptr<PointerRing>> of_thread;
};

class CacheToCache final : public Work {
 public:
  CacheToCache(Rings& rings, const WorkerId& worker) : rings_(rings) {
    rings_.of_thread.at(static_cast<std::size_t>(worker.thread)) =
        std::make_unique<PointerRing>(rings_.bytes);
  }

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      for (const auto& ring : rings_.of_thread) ring->walk();
    }
    return {};
  }

 private:
  Rings& rings_;
};

}  // namespace

Case cachetocache_case() {
  return {.name = "cachetocache",
          .summary = "walk through the memory that each thread wrote, in turn",
          .options = {number('s', "size", "512k", "bytes of each thread")},
          .stage = sharing<Rings, CacheToCache>};
}

}  // namespace assay::os
