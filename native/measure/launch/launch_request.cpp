#include <assay/measure/launch/launch_request.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string_view>
#include <system_error>

namespace assay {
namespace {

Error malformed(const char* what) {
  return Error{what, "request", "install Assay again: the launcher is of another version"};
}

std::optional<int> number_in(std::string_view text) {
  int number = -1;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc{} || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

std::vector<char*> fields_of(std::span<char> text) {
  std::vector<char*> fields;
  fields.reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\0')) + 2);
  for (auto at = text.begin(); at != text.end(); at = std::find(at, text.end(), '\0') + 1) {
    fields.push_back(&*at);
  }
  return fields;
}

}  // namespace

Result<LaunchRequest> parse_launch_request(std::span<char> text) {
  if (text.empty() || text.back() != '\0') return malformed("is cut short");
  const std::vector<char*> fields = fields_of(text);
  if (fields.size() < 3) return malformed("names no program");
  LaunchRequest request{.cpu = number_in(fields[0])};
  if (!request.cpu && *fields[0] != '\0') return malformed("its CPU is not a number");
  const auto count = static_cast<std::size_t>(number_in(fields[1]).value_or(0));
  if (count < 1 || count > fields.size() - 2) return malformed("its number of arguments is wrong");
  const auto arguments = std::span(fields).subspan(2, count);
  const auto environment = std::span(fields).subspan(2 + count);
  request.arguments.assign(arguments.begin(), arguments.end());
  request.environment.assign(environment.begin(), environment.end());
  request.arguments.push_back(nullptr);
  request.environment.push_back(nullptr);
  return request;
}

}  // namespace assay
