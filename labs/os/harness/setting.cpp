#include <assay/os/harness/setting.hpp>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace assay::os {
namespace {

int doublings_of(char unit) {
  switch (unit) {
    case 'k':
    case 'K':
      return 10;
    case 'm':
    case 'M':
      return 20;
    case 'g':
    case 'G':
      return 30;
    default:
      return 0;
  }
}

}  // namespace

Result<std::int64_t> parse_size(const std::string& written) {
  const Error wrong{"not a number", written, "try 100, 10k or 4m"};
  if (written.empty()) return wrong;
  const int doublings = doublings_of(written.back());
  const char* const end = written.data() + written.size() - (doublings > 0 ? 1 : 0);
  std::int64_t value = 0;
  const auto [stopped, code] = std::from_chars(written.data(), end, value);
  if (code != std::errc{} || stopped != end || value < 0) return wrong;
  if (value > (std::numeric_limits<std::int64_t>::max() >> doublings)) return wrong;
  return value << doublings;
}

Setting::Setting(const std::vector<Option>& options) {
  for (const Option& option : options) {
    values_.emplace(option.letter, Value{option, {std::string(option.preset)}});
  }
}

Status Setting::set(char letter, const std::string& written) {
  Value& value = values_.at(letter);
  if (value.option.kind == Option::Kind::number) {
    const Result<std::int64_t> number = parse_size(written);
    if (!number)
      return Error{number.error().what, std::string("-") + letter + " " + written,
                   number.error().hint};
  }
  if (!value.given) value.words.clear();
  value.given = true;
  value.words.push_back(written);
  return {};
}

const Setting::Value& Setting::value(char letter) const {
  const auto found = values_.find(letter);
  if (found != values_.end()) return found->second;
  std::fprintf(stderr, "assay-os: a case asked for option -%c, which it did not declare\n", letter);
  std::abort();
}

bool Setting::flag(char letter) const {
  return value(letter).given;
}
bool Setting::given(char letter) const {
  return value(letter).given;
}
const std::string& Setting::text(char letter) const {
  return value(letter).words.back();
}
const std::vector<std::string>& Setting::written(char letter) const {
  return value(letter).words;
}

std::int64_t Setting::number(char letter) const {
  return numbers(letter).back();
}

std::vector<std::int64_t> Setting::numbers(char letter) const {
  std::vector<std::int64_t> numbers;
  for (const std::string& word : value(letter).words) {
    numbers.push_back(parse_size(word).value_or(0));
  }
  return numbers;
}

}  // namespace assay::os
