// Broken on purpose: writes a value in two halves, one after the other.
#include "log_map.hpp"

#include <chrono>
#include <thread>

namespace {

class Torn final : public LogMap {
 public:
  using LogMap::LogMap;

 private:
  bool keep(const Entry& entry) override {
    if (entry.kind != 'p') return LogMap::keep(entry);
    if (!write_all(bytes_of({'h', entry.key, entry.value}))) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return write_all(bytes_of({'t', entry.key, entry.value}));
  }
};

}  // namespace

extern "C" tree_api* create_tree(const tree_options_t& options) {
  return new Torn(options);
}
