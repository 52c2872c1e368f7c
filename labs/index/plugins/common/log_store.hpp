// Purpose: makes a tree_api of LevelDB or RocksDB, whose interfaces are alike.
//
//   struct LevelDb { using Db = leveldb::DB; using Slice = leveldb::Slice; ... };
//   return std::make_unique<LogStore<LevelDb>>("leveldb", std::move(db), writing, threads);
//
// Neither can put a key "only if it is absent", so insert, update and remove read the key first,
// holding its lock. Users who do not need to know whether the key was there save that read.
//
// Thread safety: every function, from any thread. Cost: that of the store, and a lock.
#pragma once

#include <assay/index/plugins/common/complaint.hpp>
#include <assay/index/plugins/common/pool_path.hpp>
#include <assay/index/plugins/common/scan_buffer.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace assay::index {

/// Lets a store that cannot "put only if absent" look a key up and write it as one step: hold(key)
/// is called from any thread, and two keys may share a lock. An uncontended mutex and a hash cost
/// about 25 ns; with one thread there is no lock.
class KeyLocks {
 public:
  explicit KeyLocks(std::size_t threads) : needed_(threads > 1) {}

  [[nodiscard]] std::unique_lock<std::mutex> hold(std::string_view key) {
    if (!needed_) return {};
    return std::unique_lock(locks_[std::hash<std::string_view>{}(key) % locks_.size()].mutex);
  }

 private:
  struct alignas(64) Lock {
    std::mutex mutex;
  };
  std::array<Lock, 256> locks_{};
  const bool needed_;
};

/// `Store` names the types of one library: Db, Slice, Status, ReadOptions, WriteOptions.
template <class Store>
class LogStore final : public tree_api {
 public:
  LogStore(const char* plugin, std::unique_ptr<typename Store::Db> db,
           const typename Store::WriteOptions& writing, std::size_t threads)
      : db_(std::move(db)), writing_(writing), locks_(threads), complaint_(plugin) {}

  bool find(const char* key, std::size_t key_size, char* value_out) override {
    thread_local std::string value;
    const auto status = db_->Get(reading_, {key, key_size}, &value);
    if (!status.ok()) return status.IsNotFound() ? false : done(status);
    value.copy(value_out, value.size());
    return true;
  }

  bool insert(const char* key, std::size_t key_size, const char* value,
              std::size_t value_size) override {
    const auto held = locks_.hold({key, key_size});
    return presence({key, key_size}) == Presence::absent &&
           done(db_->Put(writing_, {key, key_size}, {value, value_size}));
  }

  bool update(const char* key, std::size_t key_size, const char* value,
              std::size_t value_size) override {
    const auto held = locks_.hold({key, key_size});
    return presence({key, key_size}) == Presence::present &&
           done(db_->Put(writing_, {key, key_size}, {value, value_size}));
  }

  bool remove(const char* key, std::size_t key_size) override {
    const auto held = locks_.hold({key, key_size});
    return presence({key, key_size}) == Presence::present &&
           done(db_->Delete(writing_, {key, key_size}));
  }

  int scan(const char* key, std::size_t key_size, int scan_size, char*& values_out) override {
    ScanBuffer& found = ScanBuffer::of_this_thread();
    const std::unique_ptr<typename Store::Iterator> at(db_->NewIterator(reading_));
    int records = 0;
    for (at->Seek({key, key_size}); records < scan_size && at->Valid(); at->Next(), ++records) {
      found.append(at->key().data(), at->key().size());
      found.append(at->value().data(), at->value().size());
    }
    done(at->status());
    values_out = found.data();
    return records;
  }

 private:
  enum class Presence { present, absent, unknown };

  Presence presence(const typename Store::Slice& key) {
    thread_local std::string value;
    const auto status = db_->Get(reading_, key, &value);
    if (status.ok()) return Presence::present;
    if (status.IsNotFound()) return Presence::absent;
    done(status);
    return Presence::unknown;
  }

  bool done(const typename Store::Status& status) {
    return status.ok() || complaint_.refuse(status.ToString());
  }

  std::unique_ptr<typename Store::Db> db_;
  const typename Store::ReadOptions reading_{};
  const typename Store::WriteOptions writing_;
  KeyLocks locks_;
  Complaint complaint_;
};

/// Opens the store in the folder --pool_path, and creates it if there is none.
template <class Store>
Result<std::unique_ptr<tree_api>> open_log_store(const char* plugin, const tree_options_t& options,
                                                 const typename Store::WriteOptions& writing) {
  const auto folder = pool_folder(options);
  if (!folder) return folder.error();
  typename Store::Options how;
  how.create_if_missing = true;
  typename Store::Db* db = nullptr;
  const auto opened = Store::Db::Open(how, *folder, &db);
  if (!opened.ok()) return Error{opened.ToString(), *folder};
  return std::unique_ptr<tree_api>(std::make_unique<LogStore<Store>>(
      plugin, std::unique_ptr<typename Store::Db>(db), writing, options.num_threads));
}

}  // namespace assay::index
