"""False alarms and power on this machine, on real executables, beside compare.py's method.

The suite is `judge_power_P`: the same code doing P percent more work, P = 0, 1, 2, 5,
and `judge_power_0_copy`, a byte-identical copy of P = 0. Ours is `assay compare` with
at most 5 s of measuring per benchmark on average; compare.py's method is all of base,
then all of candidate, 10 repetitions each, Mann-Whitney p < 0.05, in as much machine time.

Takes about 35 minutes. Run it with nothing else running.
"""

import json
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from assay.judge.gbench_report import report, rows_of_json
from benchmarks.tools import ASSAY, NATIVE, promised

ALPHA = 0.05
SECONDS_PER_BENCHMARK = 5.0
ALARM_TRIES, ALARM_SECONDS = 20, 2.0  # of A/A, per benchmark; margin 0, the hardest
SEQUENTIAL_TRIES = 5
CPU_BOUND = (
    "hash",
    "divide",
    "sum_numbers",
    "branch",
    "format",
    "find_in",
    "sort",
    "read_clock",
    "getpid",
    "build_string",
    "chase<16>",
    "chase<512>",
)


@dataclass(frozen=True)
class Power:
    """An injected slowdown, the margin asked for, and the share promised to be found."""

    percent: int
    margin: str
    found: float


POWERS = (Power(5, "2%", 0.95), Power(2, "0.5%", 0.80), Power(1, "0%", 0.60))


def main() -> bool:
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        kept = [_power(power, Path(folder)) for power in POWERS]
        kept.append(_false_alarms(Path(folder)))
        _sequential(Path(folder))
    return all(kept)


def _power(power: Power, folder: Path) -> bool:
    names = _names()
    began_s = time.monotonic()
    rows = _compare(f"judge_power_{power.percent}", power.margin, SECONDS_PER_BENCHMARK, folder)
    spent_s = (time.monotonic() - began_s) / len(names)
    slower = [row for row in rows if row["verdict"] == "slower"]
    bound = [row for row in rows if row["benchmark"].startswith(CPU_BOUND)]
    found = len(slower) / len(names)
    cpu_found = sum(row in slower for row in bound) / len(bound)
    widths = [(row["high"] - row["low"]) / 2 for row in rows if row["low"] is not None]
    rounds = statistics.median(row["rounds"] for row in slower) if slower else 0
    print(
        f"  {power.percent} % injected, margin {power.margin}: {len(slower)} of {len(names)} found"
        f" ({cpu_found:.0%} of {len(bound)} CPU-bound), half-width {statistics.median(widths):.2%},"
        f" {spent_s:.1f} s a benchmark, {rounds:.0f} rounds to verdict (median)"
    )
    for row in rows:
        if row["verdict"] != "slower":
            print(
                f"      not found: {row['benchmark']} {row['change']:+.2%}"
                f" [{row['low'] or 0:+.2%}, {row['high'] or 0:+.2%}] {row['rounds']} rounds"
            )
    kept = promised(f"missed at {power.percent} %", 1 - found, 1 - power.found, "of all")
    if power.percent == 1:
        kept &= promised("missed at 1 %, CPU-bound", 1 - cpu_found, 0.10, "of them")
    return kept & promised("time a benchmark", spent_s, SECONDS_PER_BENCHMARK * 1.1, "s")


def _false_alarms(folder: Path) -> bool:
    alarms = 0
    for number in range(ALARM_TRIES):
        rows = _compare("judge_power_0_copy", "0%", ALARM_SECONDS, folder, seed=number)
        flagged = [
            f"{r['benchmark']} {r['change']:+.2%}"
            for r in rows
            if r["verdict"] in ("slower", "faster")
        ]
        alarms += bool(flagged)
        print(f"  A/A {number + 1}: flagged {flagged or 'none'} of {len(rows)}", flush=True)
    return promised("A/A suites with an alarm", alarms / ALARM_TRIES, 0.05, f"of {ALARM_TRIES}")


def _sequential(folder: Path) -> None:
    """compare.py's method: nothing is promised of it."""
    for number in range(SEQUENTIAL_TRIES):
        flagged, count = _one_after_the_other("judge_power_0_copy", ALARM_SECONDS, folder)
        print(f"  one after the other, A/A {number + 1}: {flagged} of {count} flagged", flush=True)
    for power in POWERS:
        flagged, count = _one_after_the_other(
            f"judge_power_{power.percent}", SECONDS_PER_BENCHMARK, folder
        )
        print(f"  one after the other, {power.percent} %: {flagged} of {count} flagged", flush=True)


def _compare(
    candidate: str, margin: str, seconds: float, folder: Path, *, seed: int = 0
) -> list[dict[str, Any]]:
    names = _names()
    out = folder / "out.json"
    command = [ASSAY, "compare", _path("judge_power_0"), _path(candidate), "--metric", "real_time"]
    command += ["--margin", margin, "--alpha", str(ALPHA), "--seed", str(seed), "-q"]
    command += ["--budget", f"{seconds * len(names):.0f}s", "--json", str(out)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    rows: list[dict[str, Any]] = json.loads(out.read_text())["comparisons"]
    if len(rows) != len(names) or len(names) < 20 or min(row["rounds"] for row in rows) < 5:
        raise SystemExit("too few benchmarks or rounds: nothing is shown")
    return rows


def _one_after_the_other(candidate: str, seconds: float, folder: Path) -> tuple[int, int]:
    sides = []
    for name in ("judge_power_0", candidate):
        out = folder / "side.json"
        # 10 repetitions fill half the time; the engine overshoots its minimum by up to 1.4.
        flags = ["--benchmark_repetitions=10", f"--benchmark_min_time={seconds / 2 / 10 / 1.4:g}"]
        command = [_path(name), *flags, f"--benchmark_out={out}", "--benchmark_out_format=json"]
        subprocess.run(command, check=True, capture_output=True)
        sides.append(rows_of_json(msgspec.json.decode(out.read_bytes())["benchmarks"]))
    base, other = ([row for row in side if row.run_type == "iteration"] for side in sides)
    tests = [entry.utest for entry in report(base, other).entries if entry.utest]
    return sum(test.time_pvalue < ALPHA for test in tests), len(tests)


def _names() -> list[str]:
    command = [_path("judge_power_0"), "--benchmark_list_tests=true"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def _path(name: str) -> str:
    return str(NATIVE / "benchmarks" / name)
