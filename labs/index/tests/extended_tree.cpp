// Plug-ins built with longer interfaces than PiBench's, as forks of it have: a function before
// the others (EXTENDED_BEFORE) or behind them, and options that end later. Written from the
// description of those interfaces: it must not follow labs/index/tree_api.hpp.
#include <cstddef>
#include <cstdlib>
#include <string>

struct tree_options_t {
  std::size_t key_size = 8;
  std::size_t value_size = 8;
  std::string pool_path = "";
  std::size_t pool_size = 0;
  std::size_t num_threads = 1;
  void* data = nullptr;
};

class tree_api {
 public:
  virtual ~tree_api() = default;
#ifdef EXTENDED_BEFORE
  virtual bool bulk_load(const char* /*data*/, std::size_t /*records*/, std::size_t /*key_size*/,
                         std::size_t /*value_size*/) {
    std::abort();  // a driver that takes it for find or insert comes here
  }
#endif
  virtual bool find(const char* key, std::size_t key_size, char* value_out) = 0;
  virtual bool insert(const char* key, std::size_t key_size, const char* value,
                      std::size_t value_size) = 0;
  virtual bool update(const char* key, std::size_t key_size, const char* value,
                      std::size_t value_size) = 0;
  virtual bool remove(const char* key, std::size_t key_size) = 0;
  virtual int scan(const char* key, std::size_t key_size, int scan_size, char*& values_out) = 0;
  virtual long get_size() = 0;
};

/// Not in an unnamed namespace, so that the name of its table stays in a stripped file.
class ExtendedTree final : public tree_api {
 public:
  explicit ExtendedTree(void* data) : data_(data) {}
  bool find(const char* /*key*/, std::size_t /*size*/, char* /*out*/) override { return true; }
  bool insert(const char* /*key*/, std::size_t /*size*/, const char* /*value*/,
              std::size_t /*value_size*/) override {
    if (std::getenv("ASSAY_TEST_FAULT") != nullptr) std::abort();
    return true;
  }
  bool update(const char* /*key*/, std::size_t /*size*/, const char* /*value*/,
              std::size_t /*value_size*/) override {
    return true;
  }
  bool remove(const char* /*key*/, std::size_t /*size*/) override { return true; }
  int scan(const char* /*key*/, std::size_t /*size*/, int /*asked*/, char*& /*out*/) override {
    return 0;
  }
  long get_size() override { return data_ == nullptr ? 0 : 1; }

 private:
  void* data_;
};

extern "C" tree_api* create_tree(const tree_options_t& options) {
  return new ExtendedTree(options.data);
}
