"""An executable of Google Benchmark 1.5.0: it knows fewer flags and says less in its JSON."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT, Done

Assay = Callable[..., Done]
OLDER = f"{sys.executable} {ROOT / 'tests' / 'native' / 'older_benchmark.py'}"
NAMES = ["copy/8", "copy/4096", 'odd<T*>/"x"', "spin/real_time/threads:2", "skips"]


@pytest.mark.parametrize(
    "flag", ["--benchmark_min_time=1x", "--benchmark_min_time=0.1s", "--benchmark_dry_run=true"]
)
def test_the_fixture_stops_at_what_came_after_it(flag: str) -> None:
    """Else the tests below would show nothing."""
    done = subprocess.run([*OLDER.split(), flag], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"unrecognized command-line flag: {flag}" in done.stderr


def test_list(assay: Assay) -> None:
    done = assay("list", OLDER)
    assert done.code == 0, done.err
    assert done.out.splitlines() == NAMES
    assert assay("list", OLDER, "--filter", "^copy").out.splitlines() == NAMES[:2]


@pytest.mark.parametrize("target", [OLDER, f"{OLDER} --lenient"])
def test_run(assay: Assay, tmp_path: Path, target: str) -> None:
    """Also where an unknown flag is a complaint on standard error and nothing else."""
    out = tmp_path / "r.json"
    done = assay("run", target, "--filter", "copy|odd|threads", "--rounds", 2, "-o", out, "-q")
    assert done.code == 0, done.err
    rows = json.loads(out.read_text())["benchmarks"]
    assert [one["name"] for one in rows] == [name for name in NAMES[:4] for _ in range(2)]
    counts = [len(one["assay"]["samples"]["real_time"]) for one in rows]
    assert all(1 <= one <= 15 for one in counts), "as many as its start, timed for real, leaves"
    assert {one["threads"] for one in rows} == {1, 2}
    assert {one.get("label") for one in rows} == {None, 'a "label"'}
    of_first = [one for one in rows if one["name"] == "copy/8"]
    assert [one["real_time"] for one in of_first] == pytest.approx([56.0] * 2, rel=0.02)
    seconds = [one["iterations"] * one["real_time"] * 1e-9 for one in of_first]
    assert seconds == pytest.approx([0.0005] * 2, rel=0.02), "not the time that was asked for"


def test_an_error_of_a_benchmark_is_named(assay: Assay, tmp_path: Path) -> None:
    options = ("--filter", "skips", "--rounds", 1, "-o", tmp_path / "r.json", "-q")
    done = assay("run", OLDER, *options)
    assert done.code == 3
    assert "failed skips: it reported an error: no luck" in done.out


def test_compare(assay: Assay, tmp_path: Path) -> None:
    out = tmp_path / "o.json"
    kept = ("--json", out, "-o", tmp_path / "r.json")
    rounds = ("--rounds", 300, "--budget", "100s")
    chosen = ("--filter", "copy/8|odd", "--metric", "real_time", *rounds)
    done = assay("compare", OLDER, f"{OLDER} --slowed_by=1.5", *chosen, *kept, "--gate")
    assert done.code == 1, done.out + done.err
    comparisons = json.loads(out.read_text())["comparisons"]
    assert [one["benchmark"] for one in comparisons] == ["copy/8", 'odd<T*>/"x"']
    assert {one["verdict"] for one in comparisons} == {"slower"}
    assert [one["change"] for one in comparisons] == pytest.approx([0.5, 0.5], abs=0.02)


def test_its_own_files_are_compared(assay: Assay, tmp_path: Path) -> None:
    """Repetitions and what they give together, of which 1.5.0 says that there were 0."""
    files = [tmp_path / "base.json", tmp_path / "candidate.json"]
    for file, factor in zip(files, (1.0, 1.5), strict=True):
        flags = [f"--slowed_by={factor}", "--benchmark_repetitions=30", f"--benchmark_out={file}"]
        subprocess.run([*OLDER.split(), *flags, "--benchmark_filter=copy"], check=True)
    done = assay("compare", *files, "--json", tmp_path / "o.json", "--metric", "real_time")
    assert done.code == 0, done.err
    comparisons = json.loads((tmp_path / "o.json").read_text())["comparisons"]
    assert [one["benchmark"] for one in comparisons] == NAMES[:2]
    assert {one["verdict"] for one in comparisons} == {"slower"}
