#include <assay/measure/latency/base64.hpp>

#include <algorithm>

namespace assay {
namespace {

constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string_view without_padding(std::string_view text) {
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  return text;
}

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  std::uint32_t bits = 0;
  int waiting = 0;
  for (const char byte : bytes) {
    bits = bits << 8U | static_cast<std::uint8_t>(byte);
    for (waiting += 8; waiting >= 6; waiting -= 6) text += letters[bits >> (waiting - 6) & 63U];
  }
  if (waiting > 0) text += letters[bits << (6 - waiting) & 63U];
  text.append((4 - text.size() % 4) % 4, '=');
  return text;
}

std::optional<std::vector<std::uint8_t>> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::vector<std::uint8_t> bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int waiting = 0;
  for (const char letter : without_padding(text)) {
    const std::size_t value = letters.find(letter);
    if (value == std::string_view::npos) return std::nullopt;
    bits = bits << 6U | static_cast<std::uint32_t>(value);
    waiting += 6;
    if (waiting < 8) continue;
    waiting -= 8;
    bytes.push_back(static_cast<std::uint8_t>(bits >> waiting));
  }
  const bool has_stray_bits = (bits & ((1U << waiting) - 1U)) != 0;
  if (waiting >= 6 || has_stray_bits) return std::nullopt;
  return bytes;
}

}  // namespace assay
