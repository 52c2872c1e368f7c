// Purpose (tests only): a small store that keeps what it acknowledges, for plug-ins that break it.
//
//   class Forgetful final : public LogMap { bool keep(const Entry& entry) override { ... } };
//
// It is a std::map and a file of all changes, each appended by one write(); opened again, it reads
// them all.
// Thread safety: one lock. Cost: a write() for each change.
#pragma once

#include <assay/index/tree_api.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <utility>

class LogMap : public tree_api {
 public:
  explicit LogMap(const tree_options_t& options)
      : sizes_{options.key_size, options.value_size},
        file_(open(options.pool_path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
    std::ifstream log(options.pool_path, std::ios::binary);
    Entry entry{'?', std::string(sizes_.first, '\0'), std::string(sizes_.second, '\0')};
    const auto size = [](const std::string& text) {
      return static_cast<std::streamsize>(text.size());
    };
    while (log.get(entry.kind) && log.read(entry.key.data(), size(entry.key)) &&
           log.read(entry.value.data(), size(entry.value))) {
      replay(entry);
    }
  }
  ~LogMap() override { close(file_); }
  LogMap(const LogMap&) = delete;
  LogMap& operator=(const LogMap&) = delete;

  bool find(const char* key, std::size_t key_size, char* value_out) override {
    const std::lock_guard lock(mutex_);
    const auto found = map_.find({key, key_size});
    if (found == map_.end()) return false;
    found->second.copy(value_out, found->second.size());
    return true;
  }
  bool insert(const char* key, std::size_t key_size, const char* value,
              std::size_t value_size) override {
    const std::lock_guard lock(mutex_);
    return !map_.contains({key, key_size}) && put({'p', {key, key_size}, {value, value_size}});
  }
  bool update(const char* key, std::size_t key_size, const char* value,
              std::size_t value_size) override {
    const std::lock_guard lock(mutex_);
    return map_.contains({key, key_size}) && put({'p', {key, key_size}, {value, value_size}});
  }
  bool remove(const char* key, std::size_t key_size) override {
    const std::lock_guard lock(mutex_);
    if (map_.erase({key, key_size}) == 0) return false;
    return keep({'d', {key, key_size}, std::string(sizes_.second, '\0')});
  }
  int scan(const char* key, std::size_t key_size, int scan_size, char*& values_out) override {
    const std::lock_guard lock(mutex_);
    thread_local std::string found;
    found.clear();
    int records = 0;
    for (auto at = map_.lower_bound({key, key_size}); at != map_.end() && records < scan_size;
         ++at, ++records) {
      found += at->first + at->second;
    }
    values_out = found.data();
    return records;
  }

 protected:
  struct Entry {
    char kind;  // 'p': put, 'd': deleted, 'h' and 't': see replay()
    std::string key;
    std::string value;
  };

  /// Makes a change durable. The broken plug-ins override this.
  virtual bool keep(const Entry& entry) { return write_all(bytes_of(entry)); }

  /// Applies a change that was read from the file. 'h' and 't' are halves of a value, head and
  /// tail, which broken_torn.cpp writes one after the other.
  void replay(const Entry& entry) {
    std::string& value = map_[entry.key];
    const std::size_t half = sizes_.second / 2;
    value.resize(sizes_.second);
    if (entry.kind == 'p') value = entry.value;
    if (entry.kind == 'h') value.replace(0, half, entry.value, 0, half);
    if (entry.kind == 't') value.replace(half, value.size(), entry.value, half);
    if (entry.kind == 'd') map_.erase(entry.key);
  }

  static std::string bytes_of(const Entry& entry) { return entry.kind + entry.key + entry.value; }
  [[nodiscard]] bool write_all(const std::string& bytes) const {
    return write(file_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  }

 private:
  bool put(const Entry& entry) {
    map_[entry.key] = entry.value;
    return keep(entry);
  }

  std::pair<std::size_t, std::size_t> sizes_;
  int file_;
  std::mutex mutex_;
  std::map<std::string, std::string> map_;
};
