#include <assay/gbench/unavailable_counters.hpp>

namespace assay {

void UnavailableCounters::add(const std::string& line) {
  const std::size_t colon = line.find(": ");
  if (colon == std::string::npos) return;
  const std::lock_guard lock(mutex_);
  reasons_.emplace(line.substr(0, colon), line.substr(colon + 2));
}

std::optional<std::string> UnavailableCounters::reason(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = reasons_.find(name);
  if (found == reasons_.end()) return std::nullopt;
  return found->second;
}

std::map<std::string, std::string> UnavailableCounters::all() const {
  const std::lock_guard lock(mutex_);
  return reasons_;
}

}  // namespace assay
