"""How well the OS lab's figures repeat: the catalogue five times, interleaved.

    ./dev bench os_repeatability
    python -m benchmarks.os_repeatability --part 2/4     a quarter of the runs, all five times

A run repeats within 5 % when all five results lie within 5 % of their median. What was
measured is in build/os_repeatability.csv, one line for each launch, and is not measured again;
the table is build/os_repeatability.md.
"""

import argparse
import csv
import random
import statistics
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assay.errors import AssayError
from assay.judge.labs.os_times import ENOUGH_LAUNCHES, RunHistory, trimmed_mean, upper_median
from assay.measure.executor import ProcessExecutor, find_launcher
from assay.os_lab import CatalogueRun
from assay.workflows.os_lab.catalogue import visit_options
from assay.workflows.os_lab.lab import OsLab, find_lab
from benchmarks.tools import ROOT, promised

PASSES = 5
WITHIN, SHARE = 0.05, 0.80
STEADY = {"nop": 0.03, "strlen_10": 0.03, "getenv": 0.03, "memset_10": 0.03}
LONGEST_S = 0.14  # of a visit
RESULTS = ROOT / "build" / "os_repeatability.csv"
TABLE = RESULTS.with_suffix(".md")


@dataclass(frozen=True)
class Visit:
    """What one visit of a run gave; nothing where it was skipped or failed."""

    run: str
    number: int  # of the pass
    spent_s: float
    figure_ns: float | None
    note: str = ""


@dataclass(frozen=True)
class Repeated:
    """A run's five figures."""

    run: str
    times_ns: tuple[float, ...]
    note: str = ""

    @property
    def median_ns(self) -> float:
        return statistics.median(self.times_ns)

    @property
    def spread(self) -> float:
        """How far the farthest lies from the median."""
        return max(abs(time / self.median_ns - 1) for time in self.times_ns)


def main(part: tuple[int, int] = (1, 1)) -> bool:
    """Measure what is not measured yet, and print the table; whether promises are kept."""
    lab = OsLab(ProcessExecutor(find_launcher()), find_lab())
    every = catalogue(lab)
    runs = [
        run
        for place, run in enumerate(every)
        if place % part[1] == part[0] - 1 or run.name in STEADY
    ]
    measure(lab, runs)
    visits = read()
    return report([repeated(run.name, visits) for run in runs])


def catalogue(lab: OsLab) -> list[CatalogueRun]:
    """The runs of `assay os all`, and nop, which is none of libMicro's."""
    cases = {case.name for case in lab.cases()}  # of this build: io_uring may be missing
    nop = CatalogueRun("nop", "nop", ("nop", "-N", "nop"))
    return [nop, *(run for run in lab.catalogue() if run.case in cases)]


def measure(lab: OsLab, runs: Sequence[CatalogueRun]) -> None:
    """Round after round over all runs that are not settled, as `assay os all` does; in each all
    passes, in any order, for one pass after the other would measure how this machine drifts.
    """
    known = {(run.name, number): RunHistory() for run in runs for number in range(PASSES)}
    skipped = set()
    for visit in read():
        skipped |= _note(known, visit)
    RESULTS.parent.mkdir(exist_ok=True)
    round_ = 0
    while waiting := [
        (run, number)
        for number in range(PASSES)
        for run in runs
        if run.name not in skipped and not known[run.name, number].settled()
    ]:
        round_ += 1
        random.Random(round_).shuffle(waiting)  # what a run follows moves some by a twentieth
        print(f"\r  round {round_}: {len(waiting)} visits ", end="", file=sys.stderr, flush=True)
        for run, number in waiting:
            visit = one(lab, run, number)
            append(visit)
            skipped |= _note(known, visit)
    print(file=sys.stderr)


def _note(known: dict[tuple[str, int], RunHistory], visit: Visit) -> set[str]:
    """Keep what it gave; its run, where it gave nothing."""
    if visit.figure_ns is None:
        return {visit.run}
    if (visit.run, visit.number) in known:
        known[visit.run, visit.number].add((visit.figure_ns,), visit.spent_s)
    return set()


def one(lab: OsLab, run: CatalogueRun, number: int) -> Visit:
    """One visit."""
    words, began_s = (*run.words, *visit_options(run.words, LONGEST_S)), time.monotonic()
    try:
        record = lab.measure(words).record
    except AssayError as error:
        return Visit(run.name, number, 0.0, None, error.message)
    for failure in record.failures:
        return Visit(run.name, number, 0.0, None, failure.what)
    spent_s = time.monotonic() - began_s
    return Visit(run.name, number, spent_s, upper_median(record.samples[0].values["real_time"]))


def read() -> list[Visit]:
    """What is in the file."""
    if not RESULTS.exists():
        return []
    with RESULTS.open(newline="") as file:
        return [
            Visit(name, int(number), float(spent_s), float(ns) if ns else None, note)
            for name, number, spent_s, ns, note in csv.reader(file)
        ]


def append(visit: Visit) -> None:
    """Add a line."""
    ns = "" if visit.figure_ns is None else repr(visit.figure_ns)
    with RESULTS.open("a", newline="") as file:
        csv.writer(file).writerow((visit.run, visit.number, f"{visit.spent_s:.4f}", ns, visit.note))


def repeated(run: str, visits: Iterable[Visit]) -> Repeated:
    """A run's results together."""
    own = [visit for visit in visits if visit.run == run]
    notes = [visit.note for visit in own if visit.note]
    passes: dict[int, list[float]] = {}
    for visit in own:
        if visit.figure_ns is not None:
            passes.setdefault(visit.number, []).append(visit.figure_ns)
    times_ns = [trimmed_mean(each)[0] for each in passes.values() if len(each) >= ENOUGH_LAUNCHES]
    return Repeated(run, tuple(times_ns), notes[0] if notes else "")


def report(all_of_them: Sequence[Repeated]) -> bool:
    """The table into its file, and the promises."""
    measured = [one for one in all_of_them if len(one.times_ns) == PASSES]
    TABLE.write_text(table(measured) + skipped(all_of_them))
    good = sum(one.spread <= WITHIN for one in measured)
    worse = sorted((one for one in measured if one.spread > WITHIN), key=lambda one: -one.spread)
    print(f"  {good} of {len(measured)} runs repeat within 5 %; the table is {TABLE}")
    for one in worse:
        print(f"    {one.run:<16} {one.median_ns / 1e3:12.5f} us  {100 * one.spread:6.1f} %")
    share = good / len(measured) if measured else 0.0
    kept = [promised("runs that do not repeat within 5 %", 100 * (1 - share), 20, "%")]
    for one in measured:
        if one.run in STEADY:
            kept.append(promised(one.run, 100 * one.spread, 100 * STEADY[one.run], "%"))
    return all(kept)


def table(measured: Sequence[Repeated]) -> str:
    """Markdown: median, all five, and the spread."""
    lines = ["| run | median, us | farthest of 5 from it |", "| --- | ---: | ---: |"]
    lines += [
        f"| {one.run} | {one.median_ns / 1e3:.5f} | {100 * one.spread:.1f} % |" for one in measured
    ]
    return "\n".join(lines) + "\n"


def skipped(all_of_them: Sequence[Repeated]) -> str:
    """What could not be measured, and why."""
    return "".join(f"\n{one.run}: {one.note}\n" for one in all_of_them if one.note)


def part_of(text: str) -> tuple[int, int]:
    """'2/4' as (2, 4)."""
    number, _, of = text.partition("/")
    return int(number), int(of)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", type=part_of, default=(1, 1), metavar="I/N")
    sys.exit(0 if main(parser.parse_args().part) else 1)
