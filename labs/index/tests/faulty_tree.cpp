// An index over std::map that misbehaves as ASSAY_TEST_FAULT says; without that it works.
#include <assay/index/tree_api.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

std::string_view fault() {
  const char* const name = std::getenv("ASSAY_TEST_FAULT");
  return name == nullptr ? "" : name;
}

bool is(std::string_view name) {
  return fault() == name;
}

/// Orders keys as bytes, or as numbers with a sign where the fault is to do so.
struct ByOrder {
  bool operator()(const std::string& one, const std::string& other) const {
    return comparable(one) < comparable(other);
  }

 private:
  static std::string comparable(std::string key) {
    if (is("signed little-endian numbers")) std::reverse(key.begin(), key.end());
    if (is("signed little-endian numbers") || is("signed big-endian numbers")) {
      key.front() = static_cast<char>(static_cast<unsigned char>(key.front()) ^ 0x80U);
    }
    return key;
  }
};

class FaultyTree final : public tree_api {
 public:
  explicit FaultyTree(const tree_options_t& options) {
    if (!options.pool_path.empty()) pool_ = std::fopen(options.pool_path.c_str(), "wb");
  }
  ~FaultyTree() override {
    if (is("segfault_in_destructor")) std::raise(SIGSEGV);
  }

  bool find(const char* key, std::size_t key_size, char* value_out) override {
    const std::shared_lock lock(mutex_);
    misbehave_late();
    const auto found = records_.find({key, key_size});
    if (found == records_.end()) return is("find_too_much");
    std::memcpy(value_out, found->second.data(), found->second.size());
    if (is("torn_value") && ++finds_ > 3000) value_out[found->second.size() - 1] ^= 1;
    if (is("wrong_value") && ++finds_ > 3000) std::memset(value_out, 7, found->second.size());
    return true;
  }

  bool insert(const char* key, std::size_t key_size, const char* value,
              std::size_t value_size) override {
    const std::unique_lock lock(mutex_);
    if (is("throw_in_insert")) throw std::runtime_error("no room");
    if (is("refuse_insert")) return false;
    if (is("write_to_pool") && !writes_to_pool()) return false;
    if (is("lose_insert") && ++inserts_ > 2000) return true;
    return records_.try_emplace({key, key_size}, value, value_size).second;
  }

  bool update(const char* key, std::size_t key_size, const char* value,
              std::size_t value_size) override {
    const std::unique_lock lock(mutex_);
    const auto found = records_.find({key, key_size});
    if (found == records_.end()) return false;
    if (is("lose_update") && ++updates_ > 100) return true;
    found->second.assign(value, value_size);
    return true;
  }

  bool remove(const char* key, std::size_t key_size) override {
    const std::unique_lock lock(mutex_);
    if (is("lose_remove")) return records_.count({key, key_size}) != 0;
    return records_.erase({key, key_size}) != 0;
  }

  int scan(const char* key, std::size_t key_size, int scan_size, char*& values_out) override {
    thread_local std::vector<char> out;
    const std::shared_lock lock(mutex_);
    out.clear();
    int count = 0;
    auto at = records_.lower_bound({key, key_size});
    if (is("scan_skips") && at != records_.end()) ++at;
    for (; at != records_.end() && count < scan_size; ++at, ++count) {
      const auto& [found, value] = is("scan_unordered") && count % 2 == 1 ? *records_.begin() : *at;
      if (!is("scan_values_alone")) out.insert(out.end(), found.begin(), found.end());
      out.insert(out.end(), value.begin(), value.end());
    }
    if (is("scan_values_alone")) out.resize(out.size() + out.size());  // the driver reads so much
    values_out = out.data();
    if (is("scan_too_many")) return scan_size + 1;
    if (is("scan_negative")) return -1;
    return is("scan_too_few") && count > 1 ? count - 1 : count;
  }

 private:
  bool writes_to_pool() {
    const std::string block(4096, 'x');
    return std::fwrite(block.data(), block.size(), 1, pool_) == 1 && std::fflush(pool_) == 0;
  }

  void misbehave_late() {
    if (fault().empty() || ++finds_ < 3000) return;
    if (is("segfault")) std::raise(SIGSEGV);
    if (is("throw")) throw std::runtime_error("the page is gone");
    if (is("throw_number")) throw 42;
    if (is("exit")) _exit(0);
    while (is("hang")) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }

  std::FILE* pool_{nullptr};
  std::map<std::string, std::string, ByOrder> records_{};
  std::shared_mutex mutex_{};
  std::atomic<long> finds_{0};  // several threads find at once
  long inserts_{0};
  long updates_{0};
};

}  // namespace

extern "C" tree_api* create_tree(const tree_options_t& options) {
  if (is("null")) return nullptr;
  if (is("throw_at_once")) throw std::runtime_error("not today");
  if (is("print")) std::puts("this is no JSON");
  return new FaultyTree(options);
}
