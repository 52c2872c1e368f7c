#pragma once

#include <optional>
#include <string>
#include <string_view>

/// C++17, as many libraries are.
std::optional<std::string> upper(std::string_view text);
