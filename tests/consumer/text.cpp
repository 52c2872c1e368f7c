#include "text.hpp"

std::optional<std::string> upper(std::string_view text) {
  if (text.empty()) return std::nullopt;
  std::string result(text);
  for (char& letter : result) letter = static_cast<char>(letter & ~0x20);
  return result;
}
