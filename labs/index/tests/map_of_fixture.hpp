// A minimal index over std::map, for fixtures that test something else.
#pragma once

#include <assay/index/tree_api.hpp>

#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

class MapOfFixture : public tree_api {
 public:
  bool find(const char* key, std::size_t key_size, char* value_out) override {
    const std::lock_guard lock(mutex_);
    const auto found = records_.find({key, key_size});
    if (found == records_.end()) return false;
    std::memcpy(value_out, found->second.data(), found->second.size());
    return true;
  }
  bool insert(const char* key, std::size_t key_size, const char* value,
              std::size_t value_size) override {
    const std::lock_guard lock(mutex_);
    return records_.try_emplace({key, key_size}, value, value_size).second;
  }
  bool update(const char* key, std::size_t key_size, const char* value,
              std::size_t value_size) override {
    const std::lock_guard lock(mutex_);
    const auto found = records_.find({key, key_size});
    if (found == records_.end()) return false;
    found->second.assign(value, value_size);
    return true;
  }
  bool remove(const char* key, std::size_t key_size) override {
    const std::lock_guard lock(mutex_);
    return records_.erase({key, key_size}) != 0;
  }
  int scan(const char* /*key*/, std::size_t /*key_size*/, int /*scan_size*/,
           char*& /*values_out*/) override {
    return 0;
  }

 private:
  std::mutex mutex_{};
  std::map<std::string, std::string> records_{};
};
