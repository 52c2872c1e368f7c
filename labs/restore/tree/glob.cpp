#include <assay/restore/tree/glob.hpp>

#include <algorithm>
#include <optional>

namespace assay::restore {
namespace {

constexpr std::string_view special = "*?[\\";

struct Character {
  std::uint32_t code;
  std::size_t length;
};

/// Bytes that are no UTF-8 get codes above Unicode's, from this one on, so that each equals only
/// itself.
constexpr std::uint32_t invalid_byte = 0x110000;

std::size_t sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

/// The first character of `text`, which is not empty.
Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = sequence_length(lead);
  const Character alone{invalid_byte + lead, 1};
  if (length == 0 || length > text.size()) return alone;
  std::uint32_t code = lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0U) != 0x80) return alone;
    code = code << 6U | (next & 0x3fU);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < least[length] || code >= invalid_byte || surrogate ? alone
                                                                   : Character{code, length};
}

/// Removes one character from the front of a bracket expression and gives its code; a character
/// after a backslash stands for itself.
std::optional<std::uint32_t> take_member(std::string_view& set) {
  if (set.starts_with('\\')) set.remove_prefix(1);
  if (set.empty()) return std::nullopt;
  const Character member = first_character(set);
  set.remove_prefix(member.length);
  return member.code;
}

struct BracketMatch {
  bool matches;
  std::size_t length;  // of the bracket expression, in bytes
};

/// Matches one character with a bracket expression; `set` begins after its '['. Nothing when there
/// is no closing ']': then the '[' is an ordinary character.
std::optional<BracketMatch> match_bracket(std::string_view set, std::uint32_t code) {
  const std::size_t whole = set.size();
  const bool negated = set.starts_with('!') || set.starts_with('^');
  if (negated) set.remove_prefix(1);
  bool found = false;
  for (bool first = true; first || !set.starts_with(']'); first = false) {
    const auto low = take_member(set);
    if (!low) return std::nullopt;
    auto high = low;
    if (set.size() >= 2 && set[0] == '-' && set[1] != ']') {
      set.remove_prefix(1);
      high = take_member(set);
      if (!high) return std::nullopt;
    }
    found = found || (*low <= code && code <= *high);
    if (set.empty()) return std::nullopt;
  }
  return BracketMatch{found != negated, whole - set.size() + 1};
}

/// Matches one character of a name with the first element of the pattern, which is no `*`. Returns
/// the element's length in bytes; 0 when it does not match.
std::size_t match_one(std::string_view pattern, const Character& character) {
  if (pattern[0] == '?') return 1;
  if (pattern[0] == '[') {
    if (const auto bracket = match_bracket(pattern.substr(1), character.code)) {
      return bracket->matches ? 1 + bracket->length : 0;
    }
  }
  const std::size_t escaped = pattern[0] == '\\' && pattern.size() > 1 ? 1 : 0;
  const Character wanted = first_character(pattern.substr(escaped));
  return wanted.code == character.code ? escaped + wanted.length : 0;
}

bool match(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  // After a mismatch matching resumes here in the pattern, after the last `*`.
  std::size_t star = pattern.npos;
  std::size_t retry = 0;  // where matching resumes in the name
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      retry = n;
      continue;
    }
    const Character character = first_character(name.substr(n));
    const std::size_t taken = p < pattern.size() ? match_one(pattern.substr(p), character) : 0;
    if (taken != 0) {
      p += taken;
      n += character.length;
    } else if (star != pattern.npos) {
      p = star;
      retry += first_character(name.substr(retry)).length;
      n = retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

/// The name that a pattern without wildcards matches: the pattern without its backslashes.
std::string unescaped(std::string_view pattern) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
    text += pattern[i];
  }
  return text;
}

}  // namespace

Glob::Glob(std::string_view pattern) : pattern_(pattern) {
  if (!pattern.empty() && pattern.find_first_not_of('*') == pattern.npos) {
    kind_ = Kind::everything;
  } else if (pattern.find_first_of(special.substr(0, 3)) == pattern.npos) {
    kind_ = Kind::literal;
    text_ = unescaped(pattern);
  }
}

bool Glob::matches(std::string_view name) const {
  switch (kind_) {
    case Kind::everything:
      return true;
    case Kind::literal:
      return name == text_;
    case Kind::general:
      break;
  }
  return match(pattern_, name);
}

PathPattern::PathPattern(std::string_view pattern) : absolute_(pattern.starts_with('/')) {
  if (absolute_) pattern.remove_prefix(1);
  if (pattern.ends_with('/')) pattern.remove_suffix(1);
  while (true) {
    const std::size_t slash = pattern.find('/');
    add(pattern.substr(0, slash), slash == pattern.npos);
    if (slash == pattern.npos) break;
    pattern.remove_prefix(slash + 1);
  }
}

void PathPattern::add(std::string_view part, bool is_last) {
  const bool any_depth = part == "**" && !is_last;
  // `**/**` means the same as `**`.
  if (any_depth && !any_depth_.empty() && any_depth_.back()) return;
  parts_.emplace_back(is_last && part.empty() ? "*" : part);
  any_depth_.push_back(any_depth);
}

std::size_t PathPattern::any_depth_count() const {
  return static_cast<std::size_t>(std::count(any_depth_.begin(), any_depth_.end(), true));
}

}  // namespace assay::restore
