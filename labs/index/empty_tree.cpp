#include <assay/index/empty_tree.hpp>

namespace assay::index {
namespace {

class EmptyTree final : public tree_api {
 public:
  bool find(const char* /*key*/, std::size_t /*key_size*/, char* /*value_out*/) override {
    return true;
  }
  bool insert(const char* /*key*/, std::size_t /*key_size*/, const char* /*value*/,
              std::size_t /*value_size*/) override {
    return true;
  }
  bool update(const char* /*key*/, std::size_t /*key_size*/, const char* /*value*/,
              std::size_t /*value_size*/) override {
    return true;
  }
  bool remove(const char* /*key*/, std::size_t /*key_size*/) override { return true; }
  int scan(const char* /*key*/, std::size_t /*key_size*/, int scan_size,
           char*& /*values_out*/) override {
    return scan_size;
  }
};

}  // namespace

std::unique_ptr<tree_api> make_empty_tree() {
  return std::make_unique<EmptyTree>();
}

}  // namespace assay::index
