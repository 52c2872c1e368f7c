// Purpose (tests only): does the same operations on a tree and on a std::map, and compares.
//
//   ModelledTree pair(*tree, {.key_size = 16, .value_size = 1000, .keys = 500}, seed);
//   for (int n = 0; n < 1000; ++n) pair.step();
//   pair.expect_same();
//
// Thread safety: one thread each; several may share a tree when each has ids of its own.
#pragma once

#include <assay/base/random.hpp>
#include <assay/index/tree_api.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace assay::index {

struct RecordPlan {
  std::size_t key_size{8};
  std::size_t value_size{8};  // 8: the size of every value; else the largest of several sizes
  std::uint64_t keys{300};
  std::uint64_t first{0};  // ids are first, first + stride, ...
  std::uint64_t stride{1};
};

/// The key of an id. Keys of up to 8 bytes differ in all bytes, longer ones only in the last four.
inline std::string key_of(std::uint64_t id, std::size_t size) {
  const std::uint64_t mixed = id * 0x9e3779b97f4a7c15U;
  std::string key(size, 'p');
  const std::size_t begin = size > 8 ? size - 4 : 0;
  for (std::size_t at = begin; at < size; ++at) {
    key[at] = static_cast<char>(mixed >> (8 * (3 - (at - begin) % 4)) & 0xffU);
  }
  return key;
}

class ModelledTree {
 public:
  using Model = std::map<std::string, std::string>;

  ModelledTree(tree_api& tree, const RecordPlan& plan, std::uint64_t seed)
      : tree_(&tree), plan_(plan), random_(seed) {}

  void step() {
    const std::string key =
        key_of(plan_.first + plan_.stride * random_.below(plan_.keys), plan_.key_size);
    switch (random_.below(6)) {
      case 0:
      case 1:
        return insert(key, some_value());
      case 2:
        return update(key, some_value());
      case 3:
        return remove(key);
      default:
        return find(key);
    }
  }

  void insert(const std::string& key, const std::string& value) {
    EXPECT_EQ(tree_->insert(key.data(), key.size(), value.data(), value.size()),
              model_.emplace(key, value).second);
  }

  void update(const std::string& key, const std::string& value) {
    const auto held = model_.find(key);
    EXPECT_EQ(tree_->update(key.data(), key.size(), value.data(), value.size()),
              held != model_.end());
    if (held != model_.end()) held->second = value;
  }

  void remove(const std::string& key) {
    EXPECT_EQ(tree_->remove(key.data(), key.size()), model_.erase(key) == 1);
  }

  /// Expects that find gives what the model holds, and writes nothing after the value.
  void find(const std::string& key) {
    constexpr char untouched = '\x7e';
    std::string buffer(plan_.value_size + 16, untouched);
    const auto held = model_.find(key);
    ASSERT_EQ(tree_->find(key.data(), key.size(), buffer.data()), held != model_.end());
    std::string wanted = held == model_.end() ? "" : held->second;
    wanted.resize(buffer.size(), untouched);
    EXPECT_EQ(buffer, wanted);
  }

  /// Compares a scan from a random key. Only for a tree without records of other threads.
  void scan() { scan_from(key_of(random_.below(plan_.keys), plan_.key_size), random_.below(40)); }

  /// Expects that the tree has every record of the model, and no others, both by find and by scan.
  void expect_same() {
    for (std::uint64_t id = 0; id < plan_.keys; ++id) {
      find(key_of(plan_.first + plan_.stride * id, plan_.key_size));
    }
    scan_from(std::string(plan_.key_size, '\0'), model_.size() + 10);
  }

  void find_all() {
    for (const auto& [key, value] : model_) find(key);
  }

  void use(tree_api& tree) { tree_ = &tree; }
  void adopt(const Model& others) { model_.insert(others.begin(), others.end()); }
  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] std::string some_value() {
    static const std::vector<std::size_t> sizes = {0, 1, 7, 8, 9, 100, 1000};
    const std::size_t size =
        plan_.value_size == 8 ? 8 : std::min(sizes[random_.below(sizes.size())], plan_.value_size);
    std::string value(size, '\0');
    for (char& byte : value) byte = static_cast<char>(random_.below(256));
    return value;
  }

 private:
  void scan_from(const std::string& from, std::size_t most) {
    std::string wanted;
    int count = 0;
    for (auto at = model_.lower_bound(from); at != model_.end() && count < static_cast<int>(most);
         ++at, ++count) {
      wanted += at->first + at->second;
    }
    char* found = nullptr;
    const int records = tree_->scan(from.data(), from.size(), static_cast<int>(most), found);
    ASSERT_EQ(records, count);
    if (count > 0) {
      EXPECT_EQ(std::string(found, wanted.size()), wanted);
    }
  }

  tree_api* tree_;
  RecordPlan plan_;
  Random random_;
  Model model_;
};

}  // namespace assay::index
