// A plug-in of the index lab as it was written for 1.0.
#include <assay/index/tree_api.hpp>

#include <map>
#include <string>

namespace {

class Tree : public tree_api {
 public:
  explicit Tree(const tree_options_t& options)
      : size_(options.key_size + options.value_size + options.pool_size + options.num_threads +
              options.pool_path.size()) {}

  bool find(const char* key, std::size_t size, char* out) override {
    const auto at = kept_.find(std::string(key, size));
    if (at == kept_.end()) return false;
    at->second.copy(out, at->second.size());
    return true;
  }
  bool insert(const char* key, std::size_t key_size, const char* value, std::size_t size) override {
    return kept_.emplace(std::string(key, key_size), std::string(value, size)).second;
  }
  bool update(const char* key, std::size_t key_size, const char* value, std::size_t size) override {
    return !insert(key, key_size, value, size);
  }
  bool remove(const char* key, std::size_t size) override {
    return kept_.erase(std::string(key, size)) == 1;
  }
  int scan(const char*, std::size_t, int, char*& out) override {
    out = nullptr;
    return 0;
  }

 private:
  std::size_t size_;
  std::map<std::string, std::string> kept_;
};

}  // namespace

extern "C" tree_api* create_tree(const tree_options_t& options) {
  return new Tree(options);
}
