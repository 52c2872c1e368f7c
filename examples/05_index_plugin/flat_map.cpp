// A plug-in of one's own: an array kept in order, searched by halving.
#include <assay/index/tree_api.hpp>

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

class FlatMap final : public tree_api {
 public:
  bool find(const char* key, std::size_t key_size, char* value_out) override {
    const std::shared_lock lock(mutex_);
    const auto found = place({key, key_size});
    if (!holds(found, {key, key_size})) return false;
    found->second.copy(value_out, found->second.size());
    return true;
  }

  bool insert(const char* key, std::size_t key_size, const char* value,
              std::size_t value_size) override {
    const std::unique_lock lock(mutex_);
    const auto found = place({key, key_size});
    if (holds(found, {key, key_size})) return false;
    records_.emplace(found, std::string(key, key_size), std::string(value, value_size));
    return true;
  }

  bool update(const char* key, std::size_t key_size, const char* value,
              std::size_t value_size) override {
    const std::unique_lock lock(mutex_);
    const auto found = place({key, key_size});
    if (!holds(found, {key, key_size})) return false;
    found->second.assign(value, value_size);
    return true;
  }

  bool remove(const char* key, std::size_t key_size) override {
    const std::unique_lock lock(mutex_);
    const auto found = place({key, key_size});
    if (!holds(found, {key, key_size})) return false;
    records_.erase(found);
    return true;
  }

  int scan(const char* key, std::size_t key_size, int scan_size, char*& values_out) override {
    thread_local std::string results;  // stays until this thread's next scan
    results.clear();
    const std::shared_lock lock(mutex_);
    int count = 0;
    for (auto at = place({key, key_size}); at != records_.end() && count < scan_size; ++at) {
      results += at->first;
      results += at->second;
      ++count;
    }
    values_out = results.data();
    return count;
  }

 private:
  using Records = std::vector<std::pair<std::string, std::string>>;

  /// Of the first record whose key is not less.
  Records::iterator place(std::string_view key) {
    return std::lower_bound(
        records_.begin(), records_.end(), key,
        [](const auto& record, std::string_view wanted) { return record.first < wanted; });
  }
  bool holds(Records::iterator found, std::string_view key) {
    return found != records_.end() && found->first == key;
  }

  std::shared_mutex mutex_;
  Records records_;
};

}  // namespace

extern "C" tree_api* create_tree(const tree_options_t& /*options*/) {
  return new FlatMap;
}
