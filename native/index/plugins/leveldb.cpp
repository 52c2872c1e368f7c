// LevelDB in the folder --pool_path.
//
//   ASSAY_LEVELDB_SYNC=0   writes return before they are on the disk: they survive the death of
//                          the process, which has handed them to the kernel, and no power failure
#include <assay/index/plugins/common/log_store.hpp>
#include <assay/index/plugins/common/pool_path.hpp>
#include <assay/index/plugins/common/settings.hpp>

#include <leveldb/db.h>

namespace assay::index {
namespace {

struct LevelDb {
  using Db = leveldb::DB;
  using Slice = leveldb::Slice;
  using Status = leveldb::Status;
  using Iterator = leveldb::Iterator;
  using ReadOptions = leveldb::ReadOptions;
  using WriteOptions = leveldb::WriteOptions;
};

Result<std::unique_ptr<tree_api>> open_leveldb(const tree_options_t& options) {
  const auto folder = pool_folder(options);
  const auto sync = switched_on("ASSAY_LEVELDB_SYNC", true);
  if (!folder) return folder.error();
  if (!sync) return sync.error();
  leveldb::Options how;
  how.create_if_missing = true;
  leveldb::DB* db = nullptr;
  const auto opened = leveldb::DB::Open(how, *folder, &db);
  if (!opened.ok()) return Error{opened.ToString(), *folder};
  leveldb::WriteOptions writing;
  writing.sync = *sync;
  return std::unique_ptr<tree_api>(std::make_unique<LogStore<LevelDb>>(
      "leveldb", std::unique_ptr<leveldb::DB>(db), writing, options.num_threads));
}

}  // namespace
}  // namespace assay::index

extern "C" tree_api* create_tree(const tree_options_t& options) {
  return assay::index::create_or_say("leveldb",
                                     [&] { return assay::index::open_leveldb(options); });
}
