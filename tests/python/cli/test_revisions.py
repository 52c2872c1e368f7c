"""`assay compare git:A git:B`: from a clone and four lines of assay.toml to a verdict."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Done
from repositories import TestRepository, new_repository

from assay.project.project import SMALLEST

CMAKE = """\
cmake_minimum_required(VERSION 3.22)
project(sums CXX)
set(CMAKE_BUILD_TYPE Release)
find_package(benchmark REQUIRED)
add_executable(bench bench.cpp)
target_link_libraries(bench PRIVATE benchmark::benchmark_main)
"""
BENCH = """\
#include <benchmark/benchmark.h>

static void sums(benchmark::State& state) {
  for (auto _ : state) {
    int sum = 0;
    for (int i = 0; i < 1000; ++i) benchmark::DoNotOptimize(sum += i);
  }
}
BENCHMARK(sums);
"""
HERE = ("--budget", "60s", "--rounds", "300")  # a busy machine needs more than a quiet one's 3 s

Assay = Callable[..., Done]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("the cache")


@pytest.fixture(scope="module")
def sums(tmp_path_factory: pytest.TempPathFactory) -> TestRepository:
    """Two revisions, the second with twice the work, in a folder with a space in its name."""
    made = new_repository(tmp_path_factory.mktemp("work") / "the sums")
    made.write("CMakeLists.txt", CMAKE)
    made.commit("first", bench_cpp=BENCH)
    made.commit("twice the work", bench_cpp=BENCH.replace("1000", "2000"))
    made.write("assay.toml", SMALLEST)  # not committed: older revisions are built by it too
    return made


@pytest.mark.slow
def test_two_revisions_from_clean_to_verdict(
    assay: Assay, sums: TestRepository, cache: Path, tmp_path: Path
) -> None:
    record = tmp_path / "record.json"
    words = ("compare", "git:HEAD~1", "git:main", "--gate", *HERE, "-o", record)
    done = assay(*words, cwd=sums.root, XDG_CACHE_HOME=str(cache))
    assert done.code == 1, done.err
    assert "slower" in done.out
    assert "building git:HEAD~1, " in done.err
    assert "command 2 of 2: cmake --build build" in done.err
    facts = json.loads(record.read_text())["context"]["assay"]
    assert facts["targets"] == {"base": "git:HEAD~1", "candidate": "git:main"}
    assert facts["builds"]["candidate"]["revision"] == sums.git("rev-parse", "main")
    assert facts["identical"] is False
    assert sums.git("status", "--porcelain") == "?? assay.toml"


@pytest.mark.slow
def test_the_working_tree_against_a_revision_with_the_same_program(
    assay: Assay, sums: TestRepository, cache: Path
) -> None:
    sums.write("README.md", "a change that no program sees")
    done = assay("compare", "git:main", ".", *HERE, cwd=sums.root, XDG_CACHE_HOME=str(cache))
    (sums.root / "README.md").unlink()
    assert done.code == 0, done.err
    assert "git:main and . are the same program" in done.err
    listed = assay("list", "git:main", cwd=sums.root, XDG_CACHE_HOME=str(cache))
    assert (listed.code, listed.out) == (0, "sums\n")


def test_a_build_that_fails(assay: Assay, sums: TestRepository, cache: Path) -> None:
    sums.commit("broken", bench_cpp="int main() { return nothing; }\n")
    done = assay("compare", "git:main~1", "git:main", cwd=sums.root, XDG_CACHE_HOME=str(cache))
    sums.git("reset", "-q", "--hard", "HEAD~1")
    sums.write("assay.toml", SMALLEST)
    assert done.code == 3
    assert "git:main: `cmake --build build` exited with code" in done.err
    log = done.err.rpartition("all its commands wrote is in ")[2].split("\n")[0]
    assert "return nothing" in Path(log).read_text()
