// What each of these programs prints: whether its allocations are counted, and if not, why.
#pragma once

#include <assay/measure/allocations/allocation_status.hpp>

#include <cstdio>

inline int say_status() {
  const assay::AllocationStatus& status = assay::allocation_status();
  const std::string& text = status.counted ? status.allocator : status.reason;
  std::printf("counted %d %s\n", status.counted ? 1 : 0, text.c_str());
  return 0;
}
