// Broken on purpose: what is removed comes back.
#include "log_map.hpp"

namespace {

class Undead final : public LogMap {
 public:
  using LogMap::LogMap;

 private:
  bool keep(const Entry& entry) override { return entry.kind == 'd' || LogMap::keep(entry); }
};

}  // namespace

extern "C" tree_api* create_tree(const tree_options_t& options) {
  return new Undead(options);
}
