// LMDB in the folder --pool_path; --pool_size is the most it may grow to (16 GiB when 0).
//
//   ASSAY_LMDB_SYNC=0   MDB_NOSYNC: commits return before they are on the disk; they survive the
//                       death of the process and no power failure, which may spoil the database
//
// Every write is a transaction of its own; LMDB allows one at a time, readers never wait.
#include <assay/index/plugins/common/complaint.hpp>
#include <assay/index/plugins/common/pool_path.hpp>
#include <assay/index/plugins/common/scan_buffer.hpp>
#include <assay/index/plugins/common/settings.hpp>
#include <assay/index/plugins/lmdb_transaction.hpp>

#include <lmdb.h>

#include <cstring>

namespace assay::index {
namespace {

constexpr std::size_t pool_size_unless_given = std::size_t{16} << 30U;

class Lmdb final : public tree_api {
 public:
  Lmdb(LmdbEnvironment environment, MDB_dbi table)
      : environment_(std::move(environment)), table_(table), readers_(environment_.get()) {}

  bool find(const char* key, std::size_t key_size, char* value_out) override {
    const auto reader = readers_.borrow();
    MDB_val name = value_of(key, key_size);
    MDB_val found{};
    const int code = reader ? mdb_get(reader.get(), table_, &name, &found) : reader.code();
    if (code != 0) return failed(code);
    std::memcpy(value_out, found.mv_data, found.mv_size);
    return true;
  }

  bool insert(const char* key, std::size_t key_size, const char* value,
              std::size_t value_size) override {
    LmdbWrite write(environment_.get());
    MDB_val name = value_of(key, key_size);
    MDB_val held = value_of(value, value_size);
    write.also([&](MDB_txn* at) { return mdb_put(at, table_, &name, &held, MDB_NOOVERWRITE); });
    return done(write.commit());
  }

  bool update(const char* key, std::size_t key_size, const char* value,
              std::size_t value_size) override {
    LmdbWrite write(environment_.get());
    MDB_val name = value_of(key, key_size);
    MDB_val held = value_of(value, value_size);
    MDB_val before{};
    write.also([&](MDB_txn* at) { return mdb_get(at, table_, &name, &before); });
    write.also([&](MDB_txn* at) { return mdb_put(at, table_, &name, &held, 0); });
    return done(write.commit());
  }

  bool remove(const char* key, std::size_t key_size) override {
    LmdbWrite write(environment_.get());
    MDB_val name = value_of(key, key_size);
    write.also([&](MDB_txn* at) { return mdb_del(at, table_, &name, nullptr); });
    return done(write.commit());
  }

  int scan(const char* key, std::size_t key_size, int scan_size, char*& values_out) override {
    ScanBuffer& found = ScanBuffer::of_this_thread();
    const auto reader = readers_.borrow();
    MDB_cursor* cursor = nullptr;
    const int code = reader ? mdb_cursor_open(reader.get(), table_, &cursor) : reader.code();
    const int records =
        done(code) ? scan_with(cursor, value_of(key, key_size), scan_size, found) : 0;
    if (cursor != nullptr) mdb_cursor_close(cursor);
    values_out = found.data();
    return records;
  }

 private:
  static MDB_val value_of(const char* bytes, std::size_t size) {
    return {size, const_cast<char*>(bytes)};  // NOLINT: LMDB reads through it and never writes
  }

  int scan_with(MDB_cursor* cursor, MDB_val key, int scan_size, ScanBuffer& found) {
    MDB_val value{};
    int records = 0;
    int code = 0;
    for (auto step = MDB_SET_RANGE; records < scan_size; step = MDB_NEXT, ++records) {
      code = mdb_cursor_get(cursor, &key, &value, step);
      if (code != 0) break;
      found.append(static_cast<const char*>(key.mv_data), key.mv_size);
      found.append(static_cast<const char*>(value.mv_data), value.mv_size);
    }
    done(code);
    return records;
  }

  bool done(int code) { return code == 0 || failed(code); }

  /// Always returns false. A key that exists, or that does not, is an ordinary result; any other
  /// code is printed.
  bool failed(int code) {
    if (code == MDB_NOTFOUND || code == MDB_KEYEXIST) return false;
    const char* const hint = code == MDB_MAP_FULL ? "; give more --pool_size" : "";
    return complaint_.refuse(std::string(mdb_strerror(code)) + hint);
  }

  LmdbEnvironment environment_;
  const MDB_dbi table_;
  LmdbReaders readers_;
  Complaint complaint_{"lmdb"};
};

Result<std::unique_ptr<tree_api>> open_lmdb(const tree_options_t& options) {
  const auto folder = pool_folder(options);
  const auto sync = switched_on("ASSAY_LMDB_SYNC", true);
  if (!folder) return folder.error();
  if (!sync) return sync.error();
  LmdbPlan plan{.folder = *folder,
                .most_bytes = options.pool_size != 0 ? options.pool_size : pool_size_unless_given,
                .threads = options.num_threads,
                .flags = *sync ? 0U : unsigned{MDB_NOSYNC}};
  auto environment = open_environment(plan);
  if (!environment) return environment.error();
  const auto longest = static_cast<std::size_t>(mdb_env_get_maxkeysize(environment->get()));
  if (options.key_size > longest || options.key_size == 0) {
    return Error{"keys of " + std::to_string(options.key_size) + " bytes; LMDB takes 1 to " +
                     std::to_string(longest),
                 "", "give --key_size"};
  }
  const auto table = open_table(environment->get());
  if (!table) return table.error();
  return std::unique_ptr<tree_api>(std::make_unique<Lmdb>(std::move(environment).value(), *table));
}

}  // namespace
}  // namespace assay::index

extern "C" tree_api* create_tree(const tree_options_t& options) {
  return assay::index::create_or_say("lmdb", [&] { return assay::index::open_lmdb(options); });
}
