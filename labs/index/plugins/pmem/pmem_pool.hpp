// Purpose: a libpmemobj pool, and transactions on it, as objects whose destructors end them.
//
//   auto pool = open_pmem_pool(file, bytes, "layout");  // made when there is no such file
//   PmemTransaction change(pool.value().get());
//   pmemobj_tx_add_range_direct(header, sizeof *header);
//   header->next = leaf;
//   if (!change.commit()) ...                          // all of it happened, or nothing did
//
// Thread safety: a transaction belongs to the thread that began it. Cost: a transaction takes about
// 1 us, as it writes what it changes twice.
#pragma once

#include <assay/base/result.hpp>

#include <libpmemobj.h>
#include <sys/stat.h>

#include <cerrno>
#include <memory>
#include <string>

namespace assay::index {

struct ClosePmemPool {
  void operator()(PMEMobjpool* pool) const { pmemobj_close(pool); }
};
using PmemPoolHandle = std::unique_ptr<PMEMobjpool, ClosePmemPool>;

/// Opens the pool in `file`; creates it if the file is missing or empty.
inline Result<PmemPoolHandle> open_pmem_pool(const std::string& file, std::size_t bytes,
                                             const char* layout) {
  constexpr mode_t mode = 0644;
  struct stat status {};
  const bool is_there = stat(file.c_str(), &status) == 0 && status.st_size > 0;
  if (!is_there && bytes < PMEMOBJ_MIN_POOL) {
    return Error{"a pool of " + std::to_string(bytes) + " bytes is too small", file,
                 "--pool_size takes at least " + std::to_string(PMEMOBJ_MIN_POOL)};
  }
  PMEMobjpool* const pool = is_there ? pmemobj_open(file.c_str(), layout)
                                     : pmemobj_create(file.c_str(), layout, bytes, mode);
  if (pool != nullptr) return PmemPoolHandle(pool);
  return Error{pmemobj_errormsg(), file,
               is_there ? "is it a pool of this plug-in, and in use by nobody else?"
                        : "is there room, and may one write there?",
               errno};
}

class PmemTransaction {
 public:
  /// Begins without a jump buffer, so that failures are returned. A longjmp would skip destructors.
  explicit PmemTransaction(PMEMobjpool* pool)
      : began_(pmemobj_tx_begin(pool, nullptr, TX_PARAM_NONE) == 0) {}
  ~PmemTransaction() {
    if (pmemobj_tx_stage() == TX_STAGE_WORK) pmemobj_tx_abort(ECANCELED);
    pmemobj_tx_end();
  }
  PmemTransaction(const PmemTransaction&) = delete;
  PmemTransaction& operator=(const PmemTransaction&) = delete;

  [[nodiscard]] bool is_working() const { return began_ && pmemobj_tx_stage() == TX_STAGE_WORK; }

  [[nodiscard]] bool commit() {
    if (!is_working()) return false;
    pmemobj_tx_commit();
    return pmemobj_tx_stage() == TX_STAGE_ONCOMMIT;
  }

 private:
  bool began_;
};

}  // namespace assay::index
