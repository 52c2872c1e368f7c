// A plug-in that does not include our header, as PiBench's plug-ins do not: the interface is
// written down here from its description alone. That it loads and passes --verify shows that the
// layouts are the same. Changing this file to follow labs/index/tree_api.hpp would defeat it.
#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

struct tree_options_t {
  size_t key_size = 8;
  size_t value_size = 8;
  std::string pool_path = "";
  size_t pool_size = 0;
  size_t num_threads = 1;
};

class tree_api {
 public:
  virtual ~tree_api() {}
  virtual bool find(const char* key, size_t sz, char* value_out) = 0;
  virtual bool insert(const char* key, size_t key_sz, const char* value, size_t value_sz) = 0;
  virtual bool update(const char* key, size_t key_sz, const char* value, size_t value_sz) = 0;
  virtual bool remove(const char* key, size_t key_sz) = 0;
  virtual int scan(const char* key, size_t key_sz, int scan_sz, char*& values_out) = 0;
};

namespace {

class ForeignTree : public tree_api {
 public:
  bool find(const char* key, size_t sz, char* value_out) override {
    const std::lock_guard lock(mutex_);
    const auto found = map_.find(std::string(key, sz));
    if (found == map_.end()) return false;
    std::memcpy(value_out, found->second.data(), found->second.size());
    return true;
  }
  bool insert(const char* key, size_t key_sz, const char* value, size_t value_sz) override {
    const std::lock_guard lock(mutex_);
    return map_.emplace(std::string(key, key_sz), std::string(value, value_sz)).second;
  }
  bool update(const char* key, size_t key_sz, const char* value, size_t value_sz) override {
    const std::lock_guard lock(mutex_);
    const auto found = map_.find(std::string(key, key_sz));
    if (found == map_.end()) return false;
    found->second.assign(value, value_sz);
    return true;
  }
  bool remove(const char* key, size_t key_sz) override {
    const std::lock_guard lock(mutex_);
    return map_.erase(std::string(key, key_sz)) == 1;
  }
  int scan(const char* key, size_t key_sz, int scan_sz, char*& values_out) override {
    static thread_local std::vector<char> out;
    const std::lock_guard lock(mutex_);
    out.clear();
    int scanned = 0;
    for (auto at = map_.lower_bound(std::string(key, key_sz));
         at != map_.end() && scanned < scan_sz; ++at, ++scanned) {
      out.insert(out.end(), at->first.begin(), at->first.end());
      out.insert(out.end(), at->second.begin(), at->second.end());
    }
    values_out = out.data();
    return scanned;
  }

 private:
  std::map<std::string, std::string> map_;
  std::mutex mutex_;
};

}  // namespace

extern "C" tree_api* create_tree(const tree_options_t& options) {
  // Options that would arrive wrong from a driver with another layout.
  const bool is_as_asked = options.key_size == 16 && options.value_size == 24 &&
                           options.pool_path == "/tmp/a path that is longer than a short string" &&
                           options.pool_size == 12345 && options.num_threads == 2;
  return is_as_asked ? new ForeignTree : nullptr;
}
