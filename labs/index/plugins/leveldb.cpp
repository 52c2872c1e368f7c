// LevelDB in the folder --pool_path.
//
//   ASSAY_LEVELDB_SYNC=0   writes return before they are on the disk: they survive the death of
//                          the process, which has handed them to the kernel, and no power failure
#include <assay/index/plugins/common/log_store.hpp>
#include <assay/index/plugins/common/settings.hpp>

#include <leveldb/db.h>

namespace assay::index {
namespace {

struct LevelDb {
  using Db = leveldb::DB;
  using Options = leveldb::Options;
  using Slice = leveldb::Slice;
  using Status = leveldb::Status;
  using Iterator = leveldb::Iterator;
  using ReadOptions = leveldb::ReadOptions;
  using WriteOptions = leveldb::WriteOptions;
};

Result<std::unique_ptr<tree_api>> open_leveldb(const tree_options_t& options) {
  const auto sync = switched_on("ASSAY_LEVELDB_SYNC", true);
  if (!sync) return sync.error();
  leveldb::WriteOptions writing;
  writing.sync = *sync;
  return open_log_store<LevelDb>("leveldb", options, writing);
}

}  // namespace
}  // namespace assay::index

extern "C" tree_api* create_tree(const tree_options_t& options) {
  return assay::index::create_or_say("leveldb",
                                     [&] { return assay::index::open_leveldb(options); });
}
