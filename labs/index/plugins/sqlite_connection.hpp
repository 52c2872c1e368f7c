// Purpose: one connection to a table of keys and values, with its statements prepared.
//
//   auto connection = SqliteConnection::open({.file = "records.db", .synchronous = "FULL"});
//   SqliteRun run((*connection)->statement(SqliteVerb::find));
//   run.bind(1, key);
//   if (run.step() == SQLITE_ROW) use(run.column(0));
//
// Thread safety: one thread at a time. Cost: SQLite's; binding copies nothing.
#pragma once

#include <assay/base/result.hpp>

#include <sqlite3.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace assay::index {

struct SqlitePlan {
  std::string file;
  std::string synchronous;
};

enum class SqliteVerb : unsigned char { find, insert, update, remove, scan };

class SqliteConnection {
 public:
  static Result<std::unique_ptr<SqliteConnection>> open(const SqlitePlan& plan) {
    std::unique_ptr<SqliteConnection> made(new SqliteConnection);  // NOLINT: private constructor
    int code = sqlite3_open_v2(plan.file.c_str(), &made->db_, flags, nullptr);
    if (code == SQLITE_OK) code = sqlite3_busy_timeout(made->db_, patience_ms);
    if (code == SQLITE_OK) code = made->execute(setup + plan.synchronous);
    for (std::size_t verb = 0; code == SQLITE_OK && verb < texts.size(); ++verb) {
      code = sqlite3_prepare_v3(made->db_, texts[verb], -1, SQLITE_PREPARE_PERSISTENT,
                                &made->statements_[verb], nullptr);
    }
    if (code == SQLITE_OK) return made;
    return Error{made->problem(), plan.file, "is --pool_path a writable SQLite file?", code};
  }

  ~SqliteConnection() {
    for (sqlite3_stmt* const statement : statements_) sqlite3_finalize(statement);
    sqlite3_close(db_);
  }
  SqliteConnection(const SqliteConnection&) = delete;
  SqliteConnection& operator=(const SqliteConnection&) = delete;

  [[nodiscard]] sqlite3_stmt* statement(SqliteVerb verb) const {
    return statements_[static_cast<std::size_t>(verb)];
  }
  [[nodiscard]] std::string problem() const { return sqlite3_errmsg(db_); }

 private:
  static constexpr int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  static constexpr int patience_ms = 60'000;
  static constexpr std::array<const char*, 5> texts = {
      "SELECT value FROM records WHERE key = ?1",
      "INSERT INTO records VALUES (?1, ?2) ON CONFLICT DO NOTHING",
      "UPDATE records SET value = ?2 WHERE key = ?1", "DELETE FROM records WHERE key = ?1",
      "SELECT key, value FROM records WHERE key >= ?1 ORDER BY key LIMIT ?2"};
  static constexpr const char* setup =
      "PRAGMA journal_mode=WAL;"
      "CREATE TABLE IF NOT EXISTS records (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID;"
      "PRAGMA synchronous=";

  SqliteConnection() = default;

  int execute(const std::string& text) {
    return sqlite3_exec(db_, text.c_str(), nullptr, nullptr, nullptr);
  }

  sqlite3* db_{nullptr};
  std::array<sqlite3_stmt*, texts.size()> statements_{};
};

/// One execution of a prepared statement; the bytes that are bound to it must outlive this object.
class SqliteRun {
 public:
  explicit SqliteRun(sqlite3_stmt* statement) : statement_(statement) {}
  ~SqliteRun() { sqlite3_reset(statement_); }
  SqliteRun(const SqliteRun&) = delete;
  SqliteRun& operator=(const SqliteRun&) = delete;

  void bind(int place, std::string_view bytes) {
    // An empty value is a blob of 0 bytes, not NULL, which SQLite would make of a null pointer.
    const char* const start = bytes.empty() ? "" : bytes.data();
    sqlite3_bind_blob64(statement_, place, start, bytes.size(), SQLITE_STATIC);
  }
  void bind(int place, int number) { sqlite3_bind_int(statement_, place, number); }
  int step() { return sqlite3_step(statement_); }
  [[nodiscard]] int changes() const { return sqlite3_changes(sqlite3_db_handle(statement_)); }
  std::string_view column(int place) {
    const auto* const bytes = static_cast<const char*>(sqlite3_column_blob(statement_, place));
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, place))};
  }

 private:
  sqlite3_stmt* statement_;
};

}  // namespace assay::index
