"""assay why on real executables, built here with and without a slowdown."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from conftest import Done

from assay.model import Record, Sample
from assay.record.writer import write

Assay = Callable[..., Done]
Build = Callable[..., Path]

SOURCE = """
#include <benchmark/benchmark.h>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

struct Wal {
  std::vector<char> bytes;
  __attribute__((noinline)) void append(const char* data, std::size_t size) {
#ifdef COPY
    char copy[256];
    std::memcpy(copy, data, size);  // the slowdown
    benchmark::DoNotOptimize(copy);
#endif
    bytes.insert(bytes.end(), data, data + size);
    if (bytes.size() > 10000) bytes.clear();
  }
};

inline unsigned mix(unsigned h) {
  for (int i = 0; i < ROUNDS; ++i) h = (h ^ (h >> 13)) * 0x5bd1e995;
  return h;
}

static std::string payload() {
  std::string text(200, 'x');
  for (int i = 0; i < SET_UP; ++i) text[i % 200] ^= char(i * 7);
  return text;
}

static void BM_append(benchmark::State& state) {
  const std::string text = payload();
  Wal wal;
  for (auto _ : state) wal.append(text.data(), text.size());
}
BENCHMARK(BM_append);

static void BM_mix(benchmark::State& state) {
  unsigned h = 1;
  for (auto _ : state) benchmark::DoNotOptimize(h = mix(h));
}
BENCHMARK(BM_mix);

static void BM_dies(benchmark::State& state) {
  for (auto _ : state) {
    if (ROUNDS != 5) std::abort();
  }
}
BENCHMARK(BM_dies);

static void BM_threads(benchmark::State& state) {
  for (auto _ : state) benchmark::ClobberMemory();
}
BENCHMARK(BM_threads)->Threads(2);

static void BM_fixed(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(mix(7));
}
BENCHMARK(BM_fixed)->Iterations(50);

BENCHMARK_MAIN();
"""
DEFINED = {"ROUNDS": 5, "SET_UP": 10}


@pytest.fixture
def assay(assay: Assay) -> Assay:
    """Exact work and code only: the others measure for longer than these tests want to take."""

    def run(*arguments: object, stages: str = "work,code", **changes: str) -> Done:
        return assay(*arguments, "--stages", stages, **changes)

    return run


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Builds it once for each set of flags and values."""
    made: dict[tuple[str, ...], Path] = {}

    def built(*flags: str, debug: str = "-g", compiler: str = "c++", **values: int) -> Path:
        defined = [f"-D{name}={value}" for name, value in {**DEFINED, **values}.items()]
        words = (compiler, "-std=c++20", "-O2", debug, *flags, *defined)
        if words not in made:
            folder = tmp_path_factory.mktemp("why")
            (folder / "wal.cpp").write_text(SOURCE)
            command = [*words, "wal.cpp", "-o", "bench"]
            subprocess.run([*command, "-lbenchmark", "-lpthread"], cwd=folder, check=True)
            made[words] = folder / "bench"
        return made[words]

    return built


def of_work(done: Done) -> list[str]:
    """What is said of exact work."""
    return [line for line in done.out.splitlines() if not line.startswith("  code: ")]


def test_the_function_and_the_line_are_named(assay: Assay, build: Build, tmp_path: Path) -> None:
    out = tmp_path / "why.json"
    done = assay("why", build(), build("-DCOPY"), "--filter", "append", "--json", out, "-q")
    assert done.code == 0, done.err
    line = SOURCE.splitlines().index("    std::memcpy(copy, data, size);  // the slowdown") + 1
    first, work, reason, changed, unchanged = done.out.splitlines()
    assert re.fullmatch(
        r"BM_append: \d+ % more instructions: `Wal::append\(char const\*, unsigned long\)` .*",
        first,
    )
    assert re.fullmatch(r"  work: \d+ more instructions an iteration \(\+.* %\), .* before", work)
    assert reason.startswith("  1. `Wal::append(char const*, unsigned long)` does ")
    assert f"from `memcpy` called at wal.cpp:{line} (" in reason
    assert changed.startswith("  code: `Wal::append(char const*, unsigned long)` has 1 call and ")
    assert re.search(r": `memcpy` is called at 0x[0-9a-f]+, wal.cpp:\d+$", changed)
    assert unchanged.startswith("  code: unchanged: 1 function, ")
    (found,) = json.loads(out.read_text())["benchmarks"]
    loop = found["loop"]
    assert loop["named"] == ["Wal::append(char const*, unsigned long)"]
    assert (
        loop["whole"]
        == loop["candidate"] - loop["base"]
        == sum(change["amount"] for change in loop["changes"])
    )
    assert loop["unexplained"] == 0


def test_an_inlined_function_is_named_and_not_the_one_around_it(assay: Assay, build: Build) -> None:
    done = assay("why", build(), build(ROUNDS=9), "--filter", "mix", "-q")
    assert done.code == 0, done.err
    assert "  1. `mix(unsigned int)` does 24 more instructions an iteration" in done.out
    assert "BM_mix(" not in done.out.split("  code: ")[0]
    assert "  code: `BM_mix(benchmark::State&)` has 1 other instruction, and as many" in done.out


def test_code_and_source_are_in_the_page_and_in_json(
    assay: Assay, build: Build, tmp_path: Path
) -> None:
    page, out = tmp_path / "why.html", tmp_path / "why.json"
    files = ("--html", page, "--json", out)
    done = assay("why", build(), build("-DCOPY"), "--filter", "append", *files, "-q")
    assert done.code == 0, done.err
    text = page.read_text()
    assert "Why BM_append differs" in text
    assert "std::memcpy(copy, data, size);  // the slowdown" in text
    code = json.loads(out.read_text())["benchmarks"][0]["code"]
    changed = code["functions"][0]
    assert (changed["name"], changed["how"]) == (
        "Wal::append(char const*, unsigned long)",
        "changed",
    )
    assert changed["calls"][1] == changed["calls"][0] + 1
    assert [site["callee"] for site in changed["new_calls"]] == ["memcpy"]
    assert code["compilers"]["base"].startswith("GCC: ")


def test_a_function_whose_code_is_the_same_is_said_to_be(assay: Assay, build: Build) -> None:
    """Other data: the loop of `payload` goes round more often."""
    done = assay("why", build(), build(SET_UP=4000), "--filter", "mix", "-q")
    assert done.code == 0, done.err
    assert "  code: the same in the 1 function that ran" in done.out


def test_two_compilers_are_named(assay: Assay, build: Build) -> None:
    done = assay("why", build(), build(compiler="clang++-14"), "--filter", "mix", "-q")
    assert done.code == 0, done.err
    assert "  code: built by different compilers, GCC " in done.out


def test_a_rebuild_elsewhere_differs_in_nothing(assay: Assay, build: Build, tmp_path: Path) -> None:
    copy = Path(shutil.copy(build(), tmp_path / "with-a-longer-name"))
    done = assay("why", build(), copy, "--filter", "append|mix", "-q")
    assert done.code == 0, done.err
    append, mix = of_work(done)
    assert re.fullmatch(r"BM_append: nothing: .* instructions an iteration on both sides", append)
    assert re.fullmatch(r"BM_mix: nothing: .* instructions an iteration on both sides", mix)


def test_a_dearer_set_up_is_told_as_such(assay: Assay, build: Build) -> None:
    done = assay("why", build(), build(SET_UP=4000), "--filter", "append", "-q")
    assert done.code == 0, done.err
    loop, setup = of_work(done)
    assert loop.startswith("BM_append: nothing: ")
    assert setup.startswith("  set-up: `payload")
    assert setup.endswith("this is not part of the time measured")


def test_without_debug_information_the_function_is_named_without_a_line(
    assay: Assay, build: Build
) -> None:
    bare = {"debug": "-g0"}
    done = assay("why", build(**bare), build("-DCOPY", **bare), "--filter", "append", "-q")
    assert done.code == 0, done.err
    assert "`Wal::append(char const*, unsigned long)` does" in done.out
    assert "wal.cpp" not in done.out
    assert "the base has no debug information: build it with -g" in done.out


def test_of_stripped_executables_the_whole_is_told(assay: Assay, build: Build) -> None:
    done = assay("why", build("-s"), build("-s", "-DCOPY"), "--filter", "append", "-q")
    assert done.code == 0, done.err
    assert re.match(r"BM_append: \d+ more instructions an iteration", done.out)
    assert "  1. " not in done.out
    assert "the candidate is stripped: its functions have no names" in done.out


def test_one_side_that_crashes_leaves_the_others_their_answers(assay: Assay, build: Build) -> None:
    done = assay("why", build(), build(ROUNDS=9), "--filter", "dies|mix|threads", "-q")
    assert done.code == 3
    assert "  work: 24 more instructions" in done.out
    assert re.search(r"failed BM_dies \(candidate\): under callgrind it crashed", done.out)
    assert re.search(
        r"failed BM_threads/threads:2 \(base\): several threads run its loop", done.out
    )


def test_numbers_of_iterations_that_the_benchmark_itself_sets(assay: Assay, build: Build) -> None:
    done = assay("why", build(), build(ROUNDS=9), "--filter", "fixed", "-q")
    assert done.code == 0, done.err
    assert "24 more instructions an iteration" in done.out


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("cmd:true", "one side is a command and the other is not"),
        ("{tmp}/results.json", "does not say which executable of this machine gave them"),
        ("run:before", "there is no store of runs here"),
        ("{tmp}/script", "is a script: callgrind counts the instructions of executables"),
        ("{tmp}/missing", "no such file"),
    ],
)
def test_what_cannot_be_explained(
    assay: Assay, build: Build, tmp_path: Path, target: str, said: str
) -> None:
    (tmp_path / "results.json").write_text('{"context": {}, "benchmarks": []}')
    (tmp_path / "script").write_text(f'#!/bin/sh\nexec {build()} "$@"\n')
    (tmp_path / "script").chmod(0o755)
    done = assay("why", build(), target.format(tmp=tmp_path), "-q")
    assert done.code == 2
    assert said in done.err
    assert len(done.err.splitlines()) == 1


def test_a_run_that_was_kept_names_its_executable(
    assay: Assay, build: Build, tmp_path: Path
) -> None:
    """Not one that was rebuilt since: its results are of another program."""
    program = Path(shutil.copy(build(), tmp_path / "bench"))
    date = datetime.now(UTC) + timedelta(seconds=1)
    facts = {"date": date.isoformat(), "targets": {"target": str(program)}}
    timed = Sample(benchmark="BM_mix", values={"real_time": (1.0,)})
    kept = Record(context={}, facts=facts, samples=(timed,))
    write(kept, tmp_path / "kept.json")
    words = ("why", tmp_path / "kept.json", build(ROUNDS=9), "--filter", "mix", "-q")
    done = assay(*words)
    assert done.code == 0, done.err
    assert "`mix(unsigned int)` does 24 more instructions" in done.out
    later_s = date.timestamp() + 60
    os.utime(program, (later_s, later_s))
    done = assay(*words)
    assert done.code == 2
    assert "that has been rebuilt since" in done.err


def test_without_valgrind(assay: Assay, build: Build, tmp_path: Path) -> None:
    some = {"stages": "work,memory,syscalls"}
    done = assay("why", build(), build(), "--filter", "mix", "-q", **some, PATH=str(tmp_path))
    assert done.code == 0
    assert "  memory: nothing" in done.out
    assert "not asked: work: valgrind is not installed" in done.out
    assert "apt-get install valgrind" in done.out
    assert "not asked: syscalls: strace is not installed" in done.out
