#!/bin/sh
# Makes a small project with Assay's action, and a fork of it: make_repository.sh FOLDER
#
# FOLDER/project has a library for log lines in C++, its benchmarks, assay.toml and the two
# workflows of this folder. FOLDER/fork is a clone with two branches to ask about: `slower` copies
# each line four times, `readme` changes no code. On a forge, push both to repositories of yours,
# replace OWNER in the workflows, and open a pull request from each branch.
set -eu

folder=${1:?usage: make_repository.sh FOLDER}
here=$(cd "$(dirname "$0")" && pwd)
mkdir "$folder" && cd "$folder"

begin() {
  git config user.name "A. Uthor" && git config user.email author@example.invalid
}
commit() {
  git add --all
  GIT_AUTHOR_DATE=$date GIT_COMMITTER_DATE=$date git commit --quiet --message "$1"
}
date=2026-01-01T12:00:00+00:00

git init --quiet --initial-branch=main project
cd project && begin

cat > CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(lines CXX)
set(CMAKE_CXX_STANDARD 17)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
find_package(benchmark REQUIRED)
add_library(lines lines.cpp)
add_executable(bench bench.cpp)
target_link_libraries(bench lines benchmark::benchmark_main)
END

cat > lines.hpp <<'END'
#pragma once
#include <string>

std::string quoted(const std::string& text);
unsigned checksum(const std::string& text);
END

cat > lines.cpp <<'END'
#include "lines.hpp"

std::string quoted(const std::string& text) {
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

cat > bench.cpp <<'END'
#include "lines.hpp"

#include <benchmark/benchmark.h>

static const std::string line(400, 'x');

static void BM_quoted(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(quoted(line));
}
BENCHMARK(BM_quoted);

static void BM_checksum(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(checksum(line));
}
BENCHMARK(BM_checksum);
END

cat > assay.toml <<'END'
[build]
commands = ["cmake -S . -B build", "cmake --build build"]

[suites.main]
run = "build/bench"
END

printf 'build/\n.assay/\n' > .gitignore
echo "Log lines in quotes." > README
mkdir -p .github/workflows
cp "$here/gate.yml" .github/workflows/performance.yml
cp "$here/comment.yml" .github/workflows/comment.yml
commit "Log lines, their benchmarks, and a gate"
cd ..

git clone --quiet project fork
cd fork && begin
git checkout --quiet -b readme
echo "Both ends have one." >> README
commit "Say where the quotes are"
git checkout --quiet -b slower main
sed -i 's/for (char c : text) out += c;/for (int turn = 0; turn < 4; ++turn) { out = "\\""; for (char c : text) out += c; }/' lines.cpp
commit "Copy each line four times"
git checkout --quiet main
cd ../project

echo "Released as it is." > NEWS
commit "Go on while the fork works"
