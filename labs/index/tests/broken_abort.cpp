// Broken on purpose: dies while it works.
#include "log_map.hpp"

#include <cstdlib>

namespace {

class Dying final : public LogMap {
 public:
  using LogMap::LogMap;

 private:
  bool keep(const Entry& entry) override {
    if (++changes_ == 300) std::abort();
    return LogMap::keep(entry);
  }

  int changes_{0};
};

}  // namespace

extern "C" tree_api* create_tree(const tree_options_t& options) {
  return new Dying(options);
}
