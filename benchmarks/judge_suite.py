"""The suite the judge is put to the test with, and the two ways to compare it.

`judge_power_P` is the same code doing P percent more work, P = 0, 1, 2, 5;
`judge_power_0_copy` is a byte-identical copy of P = 0.
"""

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from assay.judge.compare_py.table import report, rows_of_json
from benchmarks.tools import ASSAY, NATIVE

ALPHA = 0.05
SECONDS_PER_BENCHMARK = 5.0
ALARM_SECONDS = 0.9  # of A/A, per benchmark; margin 0, the hardest


@dataclass(frozen=True)
class Power:
    """An injected slowdown, the margin asked for, and the share promised to be found."""

    percent: int
    margin: str
    found: float


POWERS = (Power(5, "2%", 0.95), Power(2, "0.5%", 0.80), Power(1, "0%", 0.60))


def compare(candidate: str, margin: str, seconds: float, *, seed: int = 0) -> list[dict[str, Any]]:
    """`assay compare` with this much measuring per benchmark on average."""
    names = benchmark_names()
    out = Path(tempfile.mkdtemp(prefix="assay-bench-")) / "out.json"
    command = [ASSAY, "compare", path("judge_power_0"), path(candidate), "--metric", "real_time"]
    command += ["--margin", margin, "--alpha", str(ALPHA), "--seed", str(seed), "-q"]
    command += ["--budget", f"{seconds * len(names):.0f}s", "--json", str(out)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    rows: list[dict[str, Any]] = json.loads(out.read_text())["comparisons"]
    if len(rows) != len(names) or len(names) < 20 or min(row["rounds"] for row in rows) < 5:
        raise SystemExit("too few benchmarks or rounds: nothing is shown")
    return rows


def one_after_the_other(candidate: str, seconds: float) -> tuple[int, int]:
    """compare.py's method: how many of how many have p below alpha."""
    sides = []
    folder = Path(tempfile.mkdtemp(prefix="assay-bench-"))
    for name in ("judge_power_0", candidate):
        out = folder / "side.json"
        # 10 repetitions fill half the time; the engine overshoots its minimum by up to 1.4.
        flags = ["--benchmark_repetitions=10", f"--benchmark_min_time={seconds / 2 / 10 / 1.4:g}"]
        command = [path(name), *flags, f"--benchmark_out={out}", "--benchmark_out_format=json"]
        subprocess.run(command, check=True, capture_output=True)
        sides.append(rows_of_json(msgspec.json.decode(out.read_bytes())["benchmarks"]))
    base, other = ([row for row in side if row.run_type == "iteration"] for side in sides)
    tests = [entry.utest for entry in report(base, other).entries if entry.utest]
    return sum(test.time_pvalue < ALPHA for test in tests), len(tests)


def benchmark_names() -> list[str]:
    """The suite, in its own order."""
    command = [path("judge_power_0"), "--benchmark_list_tests=true"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def path(name: str) -> str:
    """One of its executables."""
    return str(NATIVE / "benchmarks" / name)
