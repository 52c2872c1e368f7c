#!/bin/sh
# Makes a small git repository with a history: make_repository.sh FOLDER
#
# A log line is formatted in words.cpp and measured by bench.cpp. Of its 12 commits, "Escape
# quotes" (the 8th) makes BM_format about 20 % slower, and the 6th does not compile.
# The dates are one day apart, so that a history of the commits has a time axis.
set -eu

folder=${1:?usage: make_repository.sh FOLDER}
mkdir "$folder" && cd "$folder"
git init --quiet --initial-branch=main
git config user.name "A. Uthor" && git config user.email author@example.invalid
day=0

commit() {
  day=$((day + 1))
  date="2026-01-$(printf %02d "$day")T12:00:00+00:00"
  git add --all
  GIT_AUTHOR_DATE=$date GIT_COMMITTER_DATE=$date git commit --quiet --allow-empty --message "$1"
}

cat > CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(words CXX)
set(CMAKE_CXX_STANDARD 17)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
find_package(benchmark REQUIRED)
add_executable(bench bench.cpp words.cpp)
target_link_libraries(bench benchmark::benchmark_main)
END

cat > bench.cpp <<'END'
#include <benchmark/benchmark.h>
#include <string>

std::string format(const std::string& text);
unsigned checksum(const std::string& text);

static const std::string line(400, 'x');

static void BM_format(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(format(line));
}
BENCHMARK(BM_format);

static void BM_checksum(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(checksum(line));
}
BENCHMARK(BM_checksum);
END

cat > words.cpp <<'END'
#include <string>

std::string format(const std::string& text) {
  std::string out;
  out.reserve(text.size() + 2);
  out += '"';
  for (char c : text) out += c;
  out += '"';
  return out;
}

unsigned checksum(const std::string& text) {
  unsigned sum = 1;
  for (char c : text) sum = sum * 31 + static_cast<unsigned char>(c);
  return sum;
}
END
printf 'build/\n' > .gitignore
commit "Format a line in quotes"
echo "Formats log lines." > README
commit "Say what this is"
commit "Nothing yet"
git tag v1.0
echo "It also has a checksum." >> README
commit "Say more"
commit "Plan the next release"

sed -i 's/std::string out;/std::string out = broken;/' words.cpp
commit "Begin to rewrite format"
sed -i 's/std::string out = broken;/std::string out;/' words.cpp
commit "Take the rewrite back"

# The copy grows without the room that `format` reserves, so it allocates again and again. That is
# slower on every processor. A test of each character, which stood here first, was not on some.
cat > words.cpp <<'END'
#include <string>

static std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '"') out += '\\';
    out += c;
  }
  return out;
}

std::string format(const std::string& text) {
  std::string out;
  out.reserve(text.size() + 2);
  out += '"';
  out += escaped(text);
  out += '"';
  return out;
}

unsigned checksum(const std::string& text) {
  unsigned sum = 1;
  for (char c : text) sum = sum * 31 + static_cast<unsigned char>(c);
  return sum;
}
END
commit "Escape quotes"

echo "Quotes are escaped." >> README
commit "Document quotes"
commit "Another release is near"
echo "Released." >> README
commit "Release notes"
commit "Fix a typo"
git tag v1.1

cat > assay.toml <<'END'
[build]
commands = ["cmake -S . -B build", "cmake --build build"]

[suites.main]
run = "build/bench"
END
