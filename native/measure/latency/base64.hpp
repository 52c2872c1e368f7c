// Purpose: bytes as base64 text (RFC 4648, padded), and back.
//
//   const std::string text = assay::to_base64(bytes);
//   const std::optional<std::vector<std::uint8_t>> again = assay::from_base64(text);
//
// Thread safety: pure. Cost: none to a measurement; used when results are written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

std::string to_base64(std::string_view bytes);

/// The bytes of a base64 text; nothing where it has spaces, missing padding or stray bits at the
/// end.
std::optional<std::vector<std::uint8_t>> from_base64(std::string_view text);

}  // namespace assay
