// Purpose: the address of a function of the running program, also of one that is not exported.
//
//   void* const at = assay::program_symbol("_ZN9benchmark5State16StartKeepRunningEv");
//
// Reads the table of symbols of /proc/self/exe. Null where the program is stripped, or has no such
// function.
// Thread safety: any thread. Cost: reads through the whole table; allocates nothing.
#pragma once

namespace assay {

void* program_symbol(const char* name) noexcept;

}  // namespace assay
