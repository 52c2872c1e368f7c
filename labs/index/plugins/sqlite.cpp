// SQLite in the file --pool_path: one table, its key the primary key, without a row id.
//
//   ASSAY_SQLITE_SYNC=0   synchronous=OFF: commits return before they are on the disk; they
//                         survive the death of the process and no power failure, which may spoil
//                         the database
//
// Uses a write-ahead log and synchronous=FULL. Every write is a transaction of its own, one at a
// time. An operation borrows a connection that no other thread is using, so readers never wait.
#include <assay/index/plugins/common/complaint.hpp>
#include <assay/index/plugins/common/pool_path.hpp>
#include <assay/index/plugins/common/scan_buffer.hpp>
#include <assay/index/plugins/common/settings.hpp>
#include <assay/index/plugins/sqlite_connection.hpp>

#include <mutex>
#include <optional>
#include <vector>

namespace assay::index {
namespace {

class Sqlite final : public tree_api {
 public:
  Sqlite(SqlitePlan plan, std::unique_ptr<SqliteConnection> first) : plan_(std::move(plan)) {
    idle_.push_back(std::move(first));
  }

  bool find(const char* key, std::size_t key_size, char* value_out) override {
    return with(SqliteVerb::find, [&](SqliteRun& run) {
      run.bind(1, {key, key_size});
      const int code = run.step();
      if (code == SQLITE_ROW) {
        const std::string_view value = run.column(0);
        value.copy(value_out, value.size());
      }
      return code;
    });
  }

  bool insert(const char* key, std::size_t key_size, const char* value,
              std::size_t value_size) override {
    return change(SqliteVerb::insert, {key, key_size}, std::string_view(value, value_size));
  }

  bool update(const char* key, std::size_t key_size, const char* value,
              std::size_t value_size) override {
    return change(SqliteVerb::update, {key, key_size}, std::string_view(value, value_size));
  }

  bool remove(const char* key, std::size_t key_size) override {
    return change(SqliteVerb::remove, {key, key_size}, std::nullopt);
  }

  int scan(const char* key, std::size_t key_size, int scan_size, char*& values_out) override {
    ScanBuffer& found = ScanBuffer::of_this_thread();
    int records = 0;
    with(SqliteVerb::scan, [&](SqliteRun& run) {
      run.bind(1, {key, key_size});
      run.bind(2, scan_size);
      int code = run.step();
      for (; code == SQLITE_ROW; code = run.step(), ++records) {
        found.append(run.column(0));
        found.append(run.column(1));
      }
      return code;
    });
    values_out = found.data();
    return records;
  }

 private:
  /// Runs a statement that writes; true when a record changed. Writers wait here for each other,
  /// because inside SQLite they would wait by polling.
  bool change(SqliteVerb verb, std::string_view key, std::optional<std::string_view> value) {
    const std::lock_guard one_at_a_time(writing_);
    return with(verb, [&](SqliteRun& run) {
      run.bind(1, key);
      if (value) run.bind(2, *value);
      const int code = run.step();
      return code == SQLITE_DONE && run.changes() == 1 ? SQLITE_ROW : code;
    });
  }

  /// Runs `work` on a borrowed connection. It returns SQLITE_ROW for "yes", SQLITE_DONE for "no",
  /// anything else for a failure.
  template <class Work>
  bool with(SqliteVerb verb, Work work) {
    auto connection = borrow();
    if (!connection) return complaint_.refuse(connection.error().line());
    int code = SQLITE_OK;
    {
      SqliteRun run((*connection)->statement(verb));
      code = work(run);
      if (code != SQLITE_ROW && code != SQLITE_DONE) complaint_.refuse((*connection)->problem());
    }
    const std::lock_guard lock(idle_mutex_);
    idle_.push_back(std::move(connection).value());
    return code == SQLITE_ROW;
  }

  Result<std::unique_ptr<SqliteConnection>> borrow() {
    {
      const std::lock_guard lock(idle_mutex_);
      if (!idle_.empty()) {
        auto connection = std::move(idle_.back());
        idle_.pop_back();
        return connection;
      }
    }
    return SqliteConnection::open(plan_);
  }

  const SqlitePlan plan_;
  std::mutex writing_;
  std::mutex idle_mutex_;
  std::vector<std::unique_ptr<SqliteConnection>> idle_;
  Complaint complaint_{"sqlite"};
};

Result<std::unique_ptr<tree_api>> open_sqlite(const tree_options_t& options) {
  const auto file = pool_file(options);
  const auto sync = switched_on("ASSAY_SQLITE_SYNC", true);
  if (!file) return file.error();
  if (!sync) return sync.error();
  SqlitePlan plan{.file = *file, .synchronous = *sync ? "FULL" : "OFF"};
  auto connection = SqliteConnection::open(plan);
  if (!connection) return connection.error();
  return std::unique_ptr<tree_api>(
      std::make_unique<Sqlite>(std::move(plan), std::move(connection).value()));
}

}  // namespace
}  // namespace assay::index

extern "C" tree_api* create_tree(const tree_options_t& options) {
  return assay::index::create_or_say("sqlite", [&] { return assay::index::open_sqlite(options); });
}
