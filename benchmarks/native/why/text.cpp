// Reads lines of "name=number;..." text. See log.cpp for what the comments mean.
//@ text_by_value  | copy       | parse_field |
//@ text_isspace   | inlined    | is_space | inlined
//@ text_digits    | inlined    | digit | inlined
//@ text_stream    | library    | parse_field |
//@ text_split     | allocation | split |
//@ text_lower     | new        | parse_line |
//@ text_outlined  | not inlined| digit |
//@ text_length    | library    | parse_line |
//@ text_set_up    | set-up     | make_line |
#include <benchmark/benchmark.h>

#include <cctype>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

inline bool is_space(char c) {
  //+text_isspace for (const char* space = " \t\r\n\v\f"; *space != '\0'; ++space) {
  //+text_isspace   if (*space == c) return true;
  //+text_isspace }
  //+text_isspace return false;
  return c == ' ' || c == '\t';  //-text_isspace
}

//+text_outlined __attribute__((noinline))
inline int digit(char c) {
  //+text_digits for (int d = 0; d < 10; ++d) {
  //+text_digits   if (c == "0123456789"[d]) return d;
  //+text_digits }
  //+text_outlined if (c < '0' || c > '9') std::abort();
  //+text_outlined for (int i = 0; i < 2; ++i) benchmark::DoNotOptimize(i);
  return c - '0';
}

//+text_by_value std::string_view trimmed(std::string text, std::string_view whole) {
std::string_view trimmed(std::string_view text, std::string_view whole) {  //-text_by_value
  std::size_t from = 0;
  std::size_t to = text.size();
  while (from < to && is_space(text[from])) ++from;
  while (to > from && is_space(text[to - 1])) --to;
  return whole.substr(from, to - from);
}

struct Field {
  std::string_view name;
  long value = 0;
};

__attribute__((noinline)) Field parse_field(std::string_view text) {
  const std::size_t equals = text.find('=');
  //+text_stream const std::string number(text.substr(equals + 1));
  //+text_stream benchmark::DoNotOptimize(std::strtod(number.c_str(), nullptr));
  const auto name = text.substr(0, equals);
  //+text_by_value Field field{trimmed(std::string(name), name)};
  Field field{trimmed(name, name)};  //-text_by_value
  for (const char c : text.substr(equals + 1)) field.value = field.value * 10 + digit(c);
  return field;
}

__attribute__((noinline)) std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> parts;
  parts.reserve(8);  //-text_split
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find(';', at), line.size());
    parts.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

//+text_lower __attribute__((noinline)) std::string lower(std::string_view text) {
//+text_lower   std::string result(text);
//+text_lower   for (char& c : result) c = char(std::tolower(c));
//+text_lower   return result;
//+text_lower }

__attribute__((noinline)) long parse_line(const std::string& line) {
  long sum = 0;
  //+text_lower sum += long(lower(line).size());
  for (const auto part : split(line)) {
    //+text_length sum += long(std::strlen(line.c_str()));
    const Field field = parse_field(part);
    sum += field.value + long(field.name.size());
  }
  return sum;
}

__attribute__((noinline)) std::string make_line() {
  std::string line;
  for (int i = 0; i < 8; ++i)
    line += " field" + std::to_string(i) + " =" + std::to_string(i * 99) + ";";
  //+text_set_up for (int i = 0; i < 300; ++i) line += std::to_string(i);
  //+text_set_up line.resize(line.find(";0123") + 1);
  return line;
}

void BM_text(benchmark::State& state) {
  const std::string line = make_line();
  for (auto _ : state) benchmark::DoNotOptimize(parse_line(line));
}
BENCHMARK(BM_text);

}  // namespace

BENCHMARK_MAIN();
