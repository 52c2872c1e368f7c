// Purpose: LMDB's environment and transactions as objects whose destructors end them.
//
//   LmdbWrite write(environment);
//   write.also([&](MDB_txn* at) { return mdb_put(at, table, &key, &value, 0); });
//   const int code = write.commit();   // 0, or the first thing that failed; then nothing happened
//
// Thread safety: an LmdbWrite belongs to one thread; LmdbReaders is for all. Cost: a read
// transaction is kept and renewed, which takes a mutex and a table entry, about 100 ns.
#pragma once

#include <assay/base/result.hpp>

#include <lmdb.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace assay::index {

struct CloseEnvironment {
  void operator()(MDB_env* environment) const { mdb_env_close(environment); }
};
using LmdbEnvironment = std::unique_ptr<MDB_env, CloseEnvironment>;

struct LmdbPlan {
  std::string folder;
  std::size_t most_bytes;
  std::size_t threads;
  unsigned flags;
};

inline Result<LmdbEnvironment> open_environment(const LmdbPlan& plan) {
  constexpr unsigned readers_of_others = 126;
  constexpr mdb_mode_t mode = 0644;
  MDB_env* made = nullptr;
  int code = mdb_env_create(&made);
  LmdbEnvironment environment(made);
  if (code == 0) code = mdb_env_set_mapsize(made, plan.most_bytes);
  if (code == 0) {
    code = mdb_env_set_maxreaders(made, static_cast<unsigned>(plan.threads) + readers_of_others);
  }
  // MDB_NOTLS: a read transaction belongs to the thread that uses it now, not to the one that made
  // it.
  if (code == 0) code = mdb_env_open(made, plan.folder.c_str(), MDB_NOTLS | plan.flags, mode);
  int readers_of_the_dead = 0;
  if (code == 0) code = mdb_reader_check(made, &readers_of_the_dead);
  if (code == 0) return environment;
  return Error{mdb_strerror(code), plan.folder, "is --pool_path writable, with room left?", code};
}

class LmdbWrite {
 public:
  explicit LmdbWrite(MDB_env* environment)
      : code_(mdb_txn_begin(environment, nullptr, 0, &transaction_)) {}
  ~LmdbWrite() {
    if (transaction_ != nullptr) mdb_txn_abort(transaction_);
  }
  LmdbWrite(const LmdbWrite&) = delete;
  LmdbWrite& operator=(const LmdbWrite&) = delete;

  template <class Step>
  void also(Step step) {
    if (code_ == 0) code_ = step(transaction_);
  }
  int commit() {
    if (code_ == 0) code_ = mdb_txn_commit(std::exchange(transaction_, nullptr));
    return code_;
  }

 private:
  MDB_txn* transaction_{nullptr};
  int code_;
};

inline Result<MDB_dbi> open_table(MDB_env* environment) {
  MDB_dbi table = 0;
  LmdbWrite write(environment);
  write.also([&](MDB_txn* at) { return mdb_dbi_open(at, nullptr, 0, &table); });
  const int code = write.commit();
  if (code == 0) return table;
  return Error{mdb_strerror(code), "lmdb", "", code};
}

/// Idle read transactions, kept so that any thread can renew one.
class LmdbReaders {
 public:
  explicit LmdbReaders(MDB_env* environment) : environment_(environment) {}
  ~LmdbReaders() {
    for (MDB_txn* const reader : idle_) mdb_txn_abort(reader);
  }
  LmdbReaders(const LmdbReaders&) = delete;
  LmdbReaders& operator=(const LmdbReaders&) = delete;

  class Borrowed {
   public:
    Borrowed(LmdbReaders& owner, MDB_txn* reader, int code)
        : owner_(owner), reader_(reader), code_(code) {}
    ~Borrowed() {
      if (reader_ != nullptr) owner_.give_back(reader_);
    }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;

    explicit operator bool() const { return code_ == 0; }
    [[nodiscard]] MDB_txn* get() const { return reader_; }
    [[nodiscard]] int code() const { return code_; }

   private:
    LmdbReaders& owner_;
    MDB_txn* reader_;
    int code_;
  };

  Borrowed borrow() {
    MDB_txn* reader = take_idle();
    if (reader != nullptr) return {*this, reader, mdb_txn_renew(reader)};
    const int code = mdb_txn_begin(environment_, nullptr, MDB_RDONLY, &reader);
    return {*this, code == 0 ? reader : nullptr, code};
  }

 private:
  MDB_txn* take_idle() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return nullptr;
    MDB_txn* const reader = idle_.back();
    idle_.pop_back();
    return reader;
  }
  void give_back(MDB_txn* reader) {
    mdb_txn_reset(reader);
    const std::lock_guard lock(mutex_);
    idle_.push_back(reader);
  }

  MDB_env* environment_;
  std::mutex mutex_;
  std::vector<MDB_txn*> idle_;
};

}  // namespace assay::index
