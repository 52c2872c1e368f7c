// Purpose: where a function of the running program is, also one that is not exported.
//
//   void* const at = assay::program_symbol("_ZN9benchmark5State16StartKeepRunningEv");
//
// Reads the table of symbols of /proc/self/exe. Null: the program is stripped, or has none.
// Thread safety: any thread. Cost: reads through the whole table; allocates nothing.
#pragma once

namespace assay {

void* program_symbol(const char* name) noexcept;

}  // namespace assay
