#include <assay/index/workload/key_file.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <numeric>

namespace assay::index {
namespace {

constexpr std::size_t longest_key = 1024;

Error wrong_line(const std::string& path, std::uint64_t line, const std::string& what) {
  return Error{"line " + std::to_string(line + 1) + " " + what, path};
}

}  // namespace

Result<KeyFile> KeyFile::read(const std::string& path, const std::string& prefix) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{std::string("cannot be read: ") + std::strerror(errno), path};
  KeyFile keys;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) return wrong_line(path, keys.size(), "is empty: every line is a key");
    const std::size_t length = prefix.size() + line.size();
    if (length > longest_key) return wrong_line(path, keys.size(), "has more than 1024 bytes");
    keys.bytes_ += prefix + line;
    keys.ends_.push_back(keys.bytes_.size());
    keys.longest_ = std::max(keys.longest_, static_cast<std::uint32_t>(length));
    keys.shortest_ = std::min(keys.shortest_, static_cast<std::uint32_t>(length));
  }
  if (file.bad()) return Error{std::string("cannot be read: ") + std::strerror(errno), path};
  if (keys.ends_.empty()) return Error{"holds no keys", path, "one key a line"};
  return std::move(keys).checked(path);
}

Result<KeyFile> KeyFile::checked(const std::string& path) && {
  std::vector<std::uint32_t> order(ends_.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [this](std::uint32_t id) { return (*this)[id]; };
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
  const auto twice = std::adjacent_find(order.begin(), order.end(),
                                        [&](auto a, auto b) { return key(a) == key(b); });
  if (twice != order.end()) {
    return wrong_line(path, std::max(twice[0], twice[1]),
                      "repeats line " + std::to_string(std::min(twice[0], twice[1]) + 1));
  }
  return std::move(*this);
}

}  // namespace assay::index
