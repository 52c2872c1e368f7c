// Broken on purpose: never comes back from its hundredth change.
#include "log_map.hpp"

namespace {

class Hanging final : public LogMap {
 public:
  using LogMap::LogMap;

 private:
  bool keep(const Entry& entry) override {
    while (++changes_ >= 100) pause();
    return LogMap::keep(entry);
  }

  int changes_{0};
};

}  // namespace

extern "C" tree_api* create_tree(const tree_options_t& options) {
  return new Hanging(options);
}
