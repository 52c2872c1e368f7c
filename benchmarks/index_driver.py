"""What driving an index costs: assay-index on an index that does nothing, beside PiBench.

    ./dev bench index_driver
    python -m benchmarks.index_driver --pibench PATH     PiBench's executable, run alternately

PiBench needs a plug-in with its interface that does nothing: ours is one. The limits are of
the machine they were set on; where PiBench is run, what it took there and takes here converts
(docs/decisions/0022).
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmarks.tools import NATIVE, promised

DRIVER = NATIVE / "libexec" / "assay" / "assay-index"
DUMMY = NATIVE / "libexec" / "assay" / "plugins" / "libdummy.so"
ROUNDS = 5
RECORDS = 1_000_000
FOR_A_SECOND = ("--mode", "time", "--seconds", "1")
SCALING_ROUNDS = 24


@dataclass(frozen=True)
class Case:
    """A setting, what is promised of it, and by how much PiBench should be dearer."""

    name: str
    options: tuple[str, ...]
    operations: int
    limit_ns: float
    goal: float
    pibench_ns: float  # what PiBench took on the machine the limit was set on


CASES = (
    Case("uniform", (), 50_000_000, 3, 8, 27),
    Case("zipfian 0.99", ("--distribution", "ZIPFIAN", "--skew", "0.99"), 20_000_000, 10, 5, 53),
    Case("selfsimilar 0.2", ("--distribution", "SELFSIMILAR"), 20_000_000, 8, 4, 38),
    Case("every latency", ("--latency_sampling", "1"), 5_000_000, 45, 1.7, 77),
)


def main(arguments: list[str] | None = None) -> bool:
    """Whether every promise is kept. Ratios are goals: printed, not judged."""
    parser = argparse.ArgumentParser(prog="benchmarks.index_driver")
    parser.add_argument("--pibench", type=Path)
    pibench: Path | None = parser.parse_args(arguments or []).pibench
    kept = [_case(case, pibench) for case in CASES]
    return all([*kept, _scaling(), _set_up()])


def _case(case: Case, pibench: Path | None) -> bool:
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(_ours_ns(case.options, case.operations))
        if pibench:
            theirs.append(_pibench_ns(pibench, case.options, case.operations // 5))
    what, our_ns = f"{case.name}, an operation", statistics.median(ours)
    if not theirs:
        return promised(what, our_ns, case.limit_ns, "ns")
    ratios = [their / our for our, their in zip(ours, theirs, strict=True)]
    ratio = statistics.median(ratios)
    their_ns = statistics.median(theirs)
    print(
        f"  {case.name}: {our_ns:.3g} ns here, PiBench {their_ns:.3g}, {ratio:.2g}x "
        f"[{min(ratios):.2g}, {max(ratios):.2g}] (goal {case.goal}x)"
    )
    converted_ns = case.pibench_ns / ratio
    where = f"where PiBench takes {case.pibench_ns:g} ns"
    return promised(f"{what}, {where}", converted_ns, case.limit_ns, "ns")


def _scaling() -> bool:
    """What two threads do in a second against what one does on either CPU, in alternation.

    For a time, not a number of operations: of those each thread has half, and what is told is
    when the slower one ends, be it that a neighbour had its CPU. Two processes beside them share
    only the machine: what those gain less than twice is the machine's.
    """
    cpus = sorted(os.sched_getaffinity(0))[-2:]
    gains, ceilings = [], []
    with ThreadPoolExecutor(2) as pool:
        for _ in range(SCALING_ROUNDS):
            one_ns = statistics.harmonic_mean([_one_ns(cpu) for cpu in cpus])
            gains.append(one_ns / _ours_ns((*FOR_A_SECOND, "-t", "2")))
            ceilings.append(sum(one_ns / ns for ns in pool.map(_one_ns, cpus)))
    gain, ceiling = statistics.median(gains), statistics.median(ceilings)
    verdict = "kept  " if gain >= 1.9 else "BROKEN"
    print(
        f"  {verdict} two threads: {gain:.3g} times one [{min(gains):.3g}, {max(gains):.3g}] "
        f"(at least 1.9); two processes, which share nothing: {ceiling:.3g}"
    )
    return gain >= 1.9


def _one_ns(cpu: int) -> float:
    return _ours_ns(FOR_A_SECOND, before=("taskset", "-c", str(cpu)))


def _set_up() -> bool:
    """Zipfian over 1e9 keys: the time of one sampler, from a native program."""
    done = subprocess.run(
        [NATIVE / "benchmarks" / "index_set_up"], capture_output=True, text=True, check=True
    )
    return promised("zipfian 0.99 over 1e9 keys, set-up", float(done.stdout), 1, "ms")


def _ours_ns(options: tuple[str, ...], operations: int = 1, before: tuple[str, ...] = ()) -> float:
    """Wall time of an operation, of all threads together."""
    command = [*before, DRIVER, DUMMY, "-n", RECORDS, "-p", operations, *options, "--json", "-"]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=True)
    rows = json.loads(done.stdout)["benchmarks"]
    return next(float(row["real_time"]) for row in rows if row["name"].endswith("/all"))


def _pibench_ns(pibench: Path, options: tuple[str, ...], operations: int) -> float:
    command = [pibench, DUMMY, "-n", RECORDS, "-p", operations, *options, "--pcm=false"]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=True)
    found = re.search(r"Run time: ([\d.]+) milliseconds", done.stdout)
    if found is None:
        raise SystemExit(f"{pibench} printed no run time:\n{done.stdout[-500:]}")
    return float(found.group(1)) * 1e6 / operations


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
