// Purpose: how much of a case one launch measures.
//
//   const Effort effort{.samples = 17, .longest_ns = 800'000'000};
//
// Thread safety: a value. Cost: none.
#pragma once

#include <cstdint>

namespace assay::os {

struct Effort {
  std::int64_t samples{17};                 // of each worker
  std::int64_t longest_ns{800'000'000};     // after that no further sample begins
  std::int64_t batch{0};                    // calls in a sample; 0: found by calibration
  std::int64_t sample_ns{1'000'000};        // the length that calibration aims at
  std::int64_t timeout_ns{60'000'000'000};  // a launch that takes longer is killed
  std::int64_t enough_calls{0};             // no further sample after so many; 0: no limit
  bool align{false};                        // begin samples after a tick of the clock
};

}  // namespace assay::os
