// Purpose: how much of an operation's time the driver itself takes, with this run's settings.
//
//   const double ns = assay::index::measure_driver_cost(options, keys);
//
// Runs one thread with the same keys, values, mix and latencies on an index that does nothing.
// Thread safety: any thread, before the measurement. Cost: 20 to 40 ms.
#pragma once

#include <assay/index/options/options.hpp>
#include <assay/index/workload/key_maker.hpp>

namespace assay::index {

double measure_driver_cost(const Options& options, const KeyMaker& keys);

}  // namespace assay::index
