// RocksDB in the folder --pool_path.
//
//   ASSAY_ROCKSDB_SYNC=0   writes return before the log is on the disk: they survive the death of
//                          the process, which has handed them to the kernel, and no power failure
//   ASSAY_ROCKSDB_WAL=0    no log: what is not flushed yet is lost when the process dies
#include <assay/index/plugins/common/log_store.hpp>
#include <assay/index/plugins/common/settings.hpp>

#include <rocksdb/db.h>

namespace assay::index {
namespace {

struct RocksDb {
  using Db = rocksdb::DB;
  using Options = rocksdb::Options;
  using Slice = rocksdb::Slice;
  using Status = rocksdb::Status;
  using Iterator = rocksdb::Iterator;
  using ReadOptions = rocksdb::ReadOptions;
  using WriteOptions = rocksdb::WriteOptions;
};

Result<rocksdb::WriteOptions> how_to_write() {
  const auto sync = switched_on("ASSAY_ROCKSDB_SYNC", true);
  const auto wal = switched_on("ASSAY_ROCKSDB_WAL", true);
  if (!sync) return sync.error();
  if (!wal) return wal.error();
  rocksdb::WriteOptions writing;
  writing.disableWAL = !*wal;
  writing.sync = *sync && *wal;
  return writing;
}

Result<std::unique_ptr<tree_api>> open_rocksdb(const tree_options_t& options) {
  const auto writing = how_to_write();
  if (!writing) return writing.error();
  return open_log_store<RocksDb>("rocksdb", options, *writing);
}

}  // namespace
}  // namespace assay::index

extern "C" tree_api* create_tree(const tree_options_t& options) {
  return assay::index::create_or_say("rocksdb",
                                     [&] { return assay::index::open_rocksdb(options); });
}
