// A plug-in that asks OpenMP for the number of the calling thread, but is not linked with OpenMP,
// as it expects the executable to be. Inserts fail where two threads have the same number.
#include "map_of_fixture.hpp"

extern "C" int omp_get_thread_num();

namespace {

class OpenMpTree final : public MapOfFixture {
 public:
  explicit OpenMpTree(std::size_t threads) : callers_(threads) {}

  bool insert(const char* key, std::size_t key_size, const char* value,
              std::size_t value_size) override {
    const auto number = static_cast<std::size_t>(omp_get_thread_num());
    const std::lock_guard lock(callers_mutex_);
    if (number >= callers_.size()) return false;
    const auto caller = std::this_thread::get_id();
    if (callers_[number].count(caller) == 0 && !callers_[number].empty()) return false;
    callers_[number].insert(caller);
    return MapOfFixture::insert(key, key_size, value, value_size);
  }

 private:
  std::mutex callers_mutex_{};
  std::vector<std::set<std::thread::id>> callers_;
};

}  // namespace

extern "C" tree_api* create_tree(const tree_options_t& options) {
  return new OpenMpTree(options.num_threads);
}
