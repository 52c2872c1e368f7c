// Purpose: children that wait until their parent lets them go, all at once.
//
//   auto gate = Gate::make();          // before the children
//   gate->wait_here();                 // in a child
//   gate->until_waiting(10);           // in the parent: all ten have come
//   gate->open();  ...  gate->close(); // and again
//
// Thread safety: one gate for each parent. Cost: a futex call to open.
#pragma once

#include <assay/system/shared_pages.hpp>

#include <atomic>
#include <cstdint>

namespace assay::os {

class Gate {
 public:
  static Result<Gate> make();

  void wait_here() const;
  void until_waiting(std::int64_t children) const;
  void open() const;
  /// Only when none waits any more.
  void close() const;

 private:
  struct State {
    std::atomic<std::uint32_t> open{0};
    std::atomic<std::int64_t> waiting{0};
  };
  explicit Gate(SharedPages pages) : pages_(std::move(pages)) {}
  [[nodiscard]] State& state() const { return *pages_.as<State>(); }

  SharedPages pages_;
};

}  // namespace assay::os
