#include <assay/record/unavailable_counters.hpp>

#include <map>
#include <mutex>

namespace assay::unavailable_counters {
namespace {

struct Reasons {
  std::mutex mutex;
  std::map<std::string, std::string> by_name;
};

Reasons& reasons() {
  static Reasons only;
  return only;
}

}  // namespace

void add(const std::string& line) {
  const std::size_t colon = line.find(": ");
  if (colon == std::string::npos) return;
  const std::lock_guard lock(reasons().mutex);
  reasons().by_name.emplace(line.substr(0, colon), line.substr(colon + 2));
}

std::optional<std::string> reason(const std::string& name) {
  const std::lock_guard lock(reasons().mutex);
  const auto found = reasons().by_name.find(name);
  if (found == reasons().by_name.end()) return std::nullopt;
  return found->second;
}

}  // namespace assay::unavailable_counters
