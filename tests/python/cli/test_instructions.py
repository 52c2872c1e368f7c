"""`--instrument instructions` on real executables, built here with and without 0.1 % more."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Done
from repositories import TestRepository, new_repository

Assay = Callable[..., Done]
Build = Callable[..., Path]

SOURCE = """
#include <benchmark/benchmark.h>
#include <random>

__attribute__((noinline)) static unsigned mix(int times) {
  unsigned h = 1;
  for (int i = 0; i < times; ++i) benchmark::DoNotOptimize(h = (h ^ (h >> 13)) * 0x5bd1e995);
  return h;
}

static void BM_mix(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(mix(TIMES));
}
BENCHMARK(BM_mix);

static void BM_other(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(mix(100));
}
BENCHMARK(BM_other);

static void BM_random(benchmark::State& state) {
  std::random_device seed;
  const int times = 100 + seed() % 100;
  for (auto _ : state) benchmark::DoNotOptimize(mix(times));
}
BENCHMARK(BM_random);

static void BM_threads(benchmark::State& state) {
  for (auto _ : state) benchmark::ClobberMemory();
}
BENCHMARK(BM_threads)->Threads(2);

static void BM_fixed(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(mix(TIMES));
}
BENCHMARK(BM_fixed)->Iterations(50);

BENCHMARK_MAIN();
"""
COUNT = ("--instrument", "instructions", "-q")
COMPILE = ["c++", "-std=c++20", "-O2", "-g", "bench.cpp", "-o", "bench", "-lbenchmark", "-lpthread"]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Builds it once for each number of times."""
    made: dict[int, Path] = {}

    def built(times: int = 1000) -> Path:
        if times not in made:
            folder = tmp_path_factory.mktemp("counted")
            (folder / "bench.cpp").write_text(SOURCE)
            subprocess.run([*COMPILE, f"-DTIMES={times}"], cwd=folder, check=True)
            made[times] = folder / "bench"
        return made[times]

    return built


def results(path: Path) -> list[dict[str, Any]]:
    return list(json.loads(path.read_text())["comparisons"])


def test_a_copy_elsewhere_is_the_same_in_any_environment(
    assay: Assay, build: Build, tmp_path: Path
) -> None:
    copy = Path(shutil.copy(build(), tmp_path / "with-a-longer-name"))
    out = tmp_path / "results.json"
    words = ("compare", build(), copy, *COUNT, "--filter", "mix|fixed", "--gate", "--json", out)
    environment = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2", "MORE": "x" * 777}
    done = assay(*words, **environment)
    assert done.code == 0, done.err
    assert "Of 2 benchmarks 2 are the same (instructions)." in done.out
    again = assay(*words[:-2])
    assert again.out.splitlines()[1:4] == done.out.splitlines()[1:4]
    assert [(one["low"], one["high"], one["rounds"]) for one in results(out)] == [(0, 0, 1)] * 2
    assert "to see why" not in done.out


def test_one_part_in_a_thousand_fails_the_gate(assay: Assay, build: Build, tmp_path: Path) -> None:
    out, junit, page = tmp_path / "results.json", tmp_path / "junit.xml", tmp_path / "page.html"
    files = ("--json", out, "--junit", junit, "--html", page)
    words = ("compare", build(), build(1001), *COUNT, "--filter", "BM_(mix|other)", "--gate")
    done = assay(*words, *files)
    assert done.code == 1, done.err
    assert "Of 2 benchmarks 1 takes more, 1 is the same (instructions)." in done.out
    more, same = results(out)
    assert (more["verdict"], same["verdict"]) == ("slower", "same")
    assert more["candidate"] - more["base"] == pytest.approx(7.0)
    assert more["low"] == more["high"] == pytest.approx(0.001, rel=0.01)
    assert (more["rounds"], same["rounds"]) == (4, 1)  # a change is repeated first
    assert 'failures="1"' in junit.read_text()
    assert "BM_mix" in page.read_text()
    assert f"to see why: assay why {build()} {build(1001)} --filter '^BM_mix$'" in done.out
    assert assay(*words, "--margin", "1%").code == 0


def test_why_is_said_below_and_in_the_page(assay: Assay, build: Build, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    words = ("compare", build(), build(1100), *COUNT, "--filter", "mix|other", "--why")
    done = assay(*words, "--html", page)
    assert done.code == 0, done.err
    table, _, answer = done.out.partition("BM_mix: ")
    assert "takes more" in table
    assert "to see why" not in table
    assert re.search(
        r"work: 700 more instructions an iteration \(\+10.0 %\), 7,0\d\d before", answer
    )
    assert "`mix(int)` does 700 more instructions" in answer
    assert "BM_other: " not in answer
    html = page.read_text()
    assert 'id="why-title"' in html
    assert "<code>mix(int)</code> does 700 more instructions" in html


def test_what_is_never_twice_the_same_raises_no_alarm(assay: Assay, build: Build) -> None:
    done = assay("compare", build(), build(), *COUNT, "--filter", "random", "--rounds", 3, "--gate")
    assert done.code == 4, done.out  # not judged, rather than slower
    assert "undecided" in done.out
    assert "note: not exact: its count differs from launch to launch" in done.out


def test_runs_are_kept_and_compared_with_files_and_with_what_is_there_now(
    assay: Assay, build: Build, tmp_path: Path
) -> None:
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    for path, times in ((old, 1000), (new, 1001)):
        done = assay("run", build(times), *COUNT, "--filter", "mix|fixed", "-o", path)
        assert done.code == 0, done.err
        assert re.search(r"^BM_mix +7,0\d\d\.\d+ +- +0\.0 % +4$", done.out, re.MULTILINE)
    rows = json.loads(old.read_text())["benchmarks"]
    assert {row["assay"]["series"]["instructions"]["units"][0] for row in rows} == {"iterations"}
    assert not any("real_time" in row for row in rows)
    files = assay("compare", old, new, "--gate")
    assert files.code == 1, files.err
    assert "Of 2 benchmarks 2 take more (instructions)." in files.out
    assert "margin 0.05 %" in files.out
    now = assay("compare", old, build(), *COUNT, "--filter", "mix")
    assert now.code == 0, now.err
    assert "Of 1 benchmark 1 is the same (instructions)." in now.out
    timed = assay("compare", old, build(), "-q", "--filter", "mix")
    assert timed.code == 2
    assert "holds counts of instructions; add --instrument instructions" in timed.err


def test_a_command_is_counted_whole(assay: Assay, build: Build, tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    command = f"cmd:{build()} --benchmark_list_tests=true"
    done = assay("compare", command, command, *COUNT, "--gate", "--json", out)
    assert done.code == 0, done.err
    (one,) = results(out)
    assert one["base"] > 100_000
    assert abs(one["change"]) < 5e-4  # of a whole process some hundred may vary
    assert one["verdict"] == "same"


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("cmd:echo a | cat", "needs a shell, whose instructions would be counted instead"),
        ("cmd:{tmp}/script", "is a script: callgrind counts the instructions of executables"),
        ("{tmp}/script", "is a script: callgrind counts the instructions of executables"),
    ],
)
def test_what_cannot_be_counted(
    assay: Assay, build: Build, tmp_path: Path, target: str, said: str
) -> None:
    (tmp_path / "script").write_text(f'#!/bin/sh\nexec {build()} "$@"\n')
    (tmp_path / "script").chmod(0o755)
    done = assay("run", target.format(tmp=tmp_path), *COUNT)
    assert done.code == 2
    assert said in done.err
    assert len(done.err.splitlines()) == 1


def test_threads_are_refused_and_the_others_counted(assay: Assay, build: Build) -> None:
    done = assay("compare", build(), build(), *COUNT, "--filter", "threads|fixed", "--gate")
    assert done.code == 3
    assert re.search(r"failed BM_threads/threads:2 \(\w+\): several threads run its loop", done.out)
    assert re.search(r"BM_fixed/iterations:50 .* same", done.out)


def test_without_valgrind(assay: Assay, build: Build, tmp_path: Path) -> None:
    done = assay("compare", build(), build(), *COUNT, PATH=str(tmp_path))
    assert done.code == 3
    assert "valgrind is not installed" in done.err
    assert "apt-get install valgrind" in done.err


@pytest.mark.parametrize("option", [("--duet",), ("--metric", "real_time")])
def test_options_of_times_are_refused(assay: Assay, build: Build, option: tuple[str, ...]) -> None:
    done = assay("compare", build(), build(), *COUNT, *option)
    assert done.code == 2
    assert f"{option[0]}: goes with times, not with instructions" in done.err


def test_instruments_are_known_by_name(assay: Assay, build: Build) -> None:
    done = assay("run", build(), "--instrument", "cycles")
    assert done.code == 2
    assert "--instrument=time or --instrument=instructions" in done.err


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> TestRepository:
    """A branch whose working tree does 10 % more than the commit at which it left main."""
    made = new_repository(tmp_path_factory.mktemp("work") / "project")
    command = " ".join([*COMPILE, "-DTIMES=1000"])
    made.write(
        "assay.toml",
        f'[build]\ncommands = ["{command}"]\n[suites.main]\nrun = "./bench"\nfilter = "mix"\n',
    )
    made.write(".gitignore", ".assay\n")
    made.commit("first", bench_cpp=SOURCE)
    made.git("checkout", "-q", "-b", "topic")
    made.write("bench.cpp", SOURCE.replace("mix(TIMES)", "mix(TIMES + 100)"))
    return made


def test_a_gate_over_revisions_its_reason_and_a_history(
    assay: Assay, project: TestRepository, tmp_path: Path
) -> None:
    here: dict[str, Any] = {"cwd": project.root, "XDG_CACHE_HOME": str(tmp_path)}
    gate = assay("gate", *COUNT, "--why", **here)
    assert gate.code == 1, gate.err
    assert re.search(r"BM_mix +7,0\d\d\.\d+ +7,7\d\d\.\d+ +\+10\.0 % +exact +more", gate.out)
    assert "  work: 700 more instructions an iteration" in gate.out
    hinted = assay("gate", *COUNT, **here)
    assert re.search(r"to see why: assay why git:\w+ \. --filter '\^BM_mix\$'", hinted.out)
    run = assay("run", "git:main", *COUNT, "--filter", "mix", **here)
    assert run.code == 0, run.err
    history = assay("history", "--metric", "instructions", **here)
    assert history.code == 0, history.err
    assert "BM_mix" in history.out
    (name,) = re.findall(r"run:(\S+)", run.out)
    against = assay("compare", f"run:{name}", ".", *COUNT, "--filter", "mix", "--gate", **here)
    assert against.code == 1, against.err
