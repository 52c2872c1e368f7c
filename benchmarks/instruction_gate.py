"""Does the gate of instructions cry wolf, and does it find one instruction in a thousand?

    ./dev bench instruction_gate
    .venv/bin/python -m benchmarks.instruction_gate [--runs N] [--injected N] [--seed N]
                                                    [--peer EXECUTABLE BENCHMARK]...

A against A: each run is one comparison with `--instrument instructions`, judged as `assay gate`
judges it. The candidate is the same source built again in a folder whose path has another length
(of a peer: a copy of its executable); the environment is of another size and content each time,
with other features of the CPU named in GLIBC_TUNABLES, and other folders for temporary files.
A run fails when its exit code is not 0 or a verdict is not `same`. Over all runs, each benchmark
must have one count for each number of iterations, to the last instruction.

Injected: each of five kinds of work is done 1001 times instead of 1000, and must be called slower.
"""

import argparse
import os
import random
import shutil
import subprocess
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from assay.cli.common.gate import Gate, exit_code
from assay.cli.common.runtime import open_runtime
from assay.measure.profile.exact.instructions import counts_by_iterations
from assay.model import Verdict
from assay.workflows.common.matching import Filters
from assay.workflows.common.output import Destination
from assay.workflows.common.plan import INSTRUCTIONS, ComparePlan, Measuring
from assay.workflows.common.runtime import Runtime
from assay.workflows.compare.result import CompareResult
from assay.workflows.compare.workflow import compare
from benchmarks.tools import ROOT, promised

SOURCES = ROOT / "benchmarks" / "native" / "why"
THOUSANDTH = ROOT / "benchmarks" / "native" / "gate" / "thousandth.cpp"
KINDS = ("BM_arithmetic", "BM_allocation", "BM_lookup", "BM_copy", "BM_virtual")
FLAGS = "-std=c++20 -O2 -g"
PLACES = ("a", "rebuilt", "rebuilt-in-a-folder-with-a-longer-name", "x" * 120)
FEATURES = (
    "",
    "glibc.cpu.hwcaps=-AVX2",
    "glibc.cpu.hwcaps=-AVX2,-AVX,-SSE4_2,-SSSE3",
    "glibc.cpu.hwcaps=-ERMS,Prefer_ERMS",
    "glibc.cpu.x86_non_temporal_threshold=16448",
    "glibc.malloc.tcache_count=0",
)
LANGUAGES = ("C", "C.UTF-8", "en_US.UTF-8", "")


@dataclass(frozen=True)
class Suite:
    """One benchmark of one program, and the same program in other places."""

    name: str
    benchmark: str
    base: Path
    rebuilt: tuple[Path, ...]


class Counts:
    """Every count seen: of each suite by number of iterations."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, int], set[int]] = defaultdict(set)

    def add(self, suite: str, result: CompareResult) -> None:
        for sample in (*result.samples[0], *result.samples[1]):
            for iterations, total in counts_by_iterations(sample).items():
                self._seen[suite, iterations].add(total)

    def varying(self, suite: str) -> int:
        """Numbers of iterations for which more than one count was seen."""
        return sum(len(totals) > 1 for (name, _), totals in self._seen.items() if name == suite)

    def each(self, suite: str) -> float:
        """Instructions an iteration, of the most iterations."""
        most = max((n for name, n in self._seen if name == suite), default=1)
        return min(self._seen.get((suite, most), {0})) / most


def build(source: Path, folder: Path, *flags: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, folder)
    command = ["c++", *FLAGS.split(), *flags, source.name, "-o", "bench", "-lbenchmark"]
    subprocess.run([*command, "-lpthread"], cwd=folder, check=True)
    return folder / "bench"


def ours(folder: Path) -> list[Suite]:
    """The sources of `why_injections`, each built in every place."""
    found = []
    for source in sorted(SOURCES.glob("*.cpp")):
        built = [build(source, folder / source.stem / place) for place in PLACES]
        found.append(Suite(source.stem, f"BM_{source.stem}", built[0], tuple(built[1:])))
    return found


def peer(executable: Path, benchmark: str, folder: Path) -> Suite:
    """Somebody else's, copied to every place."""
    name = "-".join(executable.parent.parts[-2:])
    copies = []
    for place in PLACES[1:]:
        (folder / name / place).mkdir(parents=True, exist_ok=True)
        copies.append(Path(shutil.copy(executable, folder / name / place)))
    return Suite(f"{name} {benchmark}", benchmark, executable, tuple(copies))


def surroundings(folder: Path, draw: random.Random) -> None:
    """Another environment for everything that is started from now on."""
    for name in [name for name in os.environ if name.startswith("FILL")]:
        del os.environ[name]
    for number in range(draw.randrange(40)):
        os.environ[f"FILL{number}"] = "x" * draw.randrange(200)
    os.environ["GLIBC_TUNABLES"] = draw.choice(FEATURES)
    os.environ["LANG"] = draw.choice(LANGUAGES)
    place = folder / "tmp" / ("t" * draw.randrange(1, 60))
    place.mkdir(parents=True, exist_ok=True)
    os.environ["TMPDIR"] = tempfile.tempdir = str(place)


def gated(
    base: Path, candidate: Path, benchmark: str, folder: Path, runtime: Runtime
) -> tuple[int, CompareResult]:
    """One run of the gate: its exit code, and all it found."""
    plan = ComparePlan(
        str(base),
        str(candidate),
        measuring=Measuring(instrument=INSTRUCTIONS),
        filters=Filters(f"^{benchmark}$"),
        metrics=(INSTRUCTIONS,),
        keep=Destination(output=folder / "record.json"),
    )
    result = compare(plan, runtime)
    return exit_code(result, Gate(strict=True)), result


def same_again(suites: list[Suite], runs: int, seed: int, folder: Path, runtime: Runtime) -> int:
    """A against A; returns how many runs were not passed as `same`."""
    draw, counts = random.Random(seed), Counts()
    done: dict[str, int] = defaultdict(int)
    alarms: dict[str, int] = defaultdict(int)
    began_s = time.monotonic()
    for number in range(runs):
        suite = suites[number % len(suites)]
        surroundings(folder, draw)
        candidate = draw.choice(suite.rebuilt)
        code, result = gated(suite.base, candidate, suite.benchmark, folder, runtime)
        verdicts = {one.verdict for one in result.judgement.comparisons}
        counts.add(suite.name, result)
        done[suite.name] += 1
        if code or verdicts != {Verdict.SAME}:
            alarms[suite.name] += 1
            said = [*verdicts, *(failure.what for failure in result.failures)]
            print(f"  ALARM {suite.name} {candidate}: exit {code}, {said}", flush=True)
        if number % 100 == 99:
            print(f"  {number + 1} runs, {time.monotonic() - began_s:.0f} s", flush=True)
    for name, times in done.items():
        told = f"{counts.each(name):14,.2f} instructions, counts that vary: {counts.varying(name)}"
        print(f"  {name:34} {times:4} runs, alarms {alarms[name]} {told}", flush=True)
    return sum(alarms.values())


def a_thousandth_more(runs: int, seed: int, folder: Path, runtime: Runtime) -> tuple[int, int]:
    """How many of so many injected slowdowns were missed; and the runs."""
    base = build(THOUSANDTH, folder / "thousandth" / "base", "-DMORE=0")
    more = build(THOUSANDTH, folder / "thousandth" / "candidate", "-DMORE=1")
    draw = random.Random(seed)
    missed = 0
    changes: dict[str, set[str]] = defaultdict(set)
    for number in range(runs):
        kind = KINDS[number % len(KINDS)]
        surroundings(folder, draw)
        code, result = gated(base, more, kind, folder, runtime)
        (one,) = result.judgement.comparisons
        changes[kind].add(f"{one.change:+.4%}")
        missed += code != 1 or one.verdict is not Verdict.SLOWER
    for kind, seen in changes.items():
        print(f"  {kind:34} injected: {', '.join(sorted(seen))}", flush=True)
    return missed, runs


def main(
    runs: int = 1000,
    injected: int = 100,
    seed: int = 1,
    peers: tuple[tuple[str, str], ...] = (),
) -> bool:
    """Print the tables; whether what is promised is kept."""
    with tempfile.TemporaryDirectory(prefix="assay-gate-") as name, open_runtime(True) as runtime:
        folder = Path(name)
        suites = ours(folder)
        suites += [peer(Path(path), benchmark, folder) for path, benchmark in peers]
        alarms = same_again(suites, runs, seed, folder, runtime)
        missed, tried = a_thousandth_more(injected, seed, folder, runtime)
    print(f"{runs} A/A runs: {alarms} alarms; {tried} times 0.1 % more: {missed} missed")
    return all(
        [
            promised("A/A runs that are not `same`", alarms, 0, f"of {runs}"),
            promised("0.1 % more that was missed", missed, 0, f"of {tried}"),
        ]
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--injected", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--peer", nargs=2, action="append", default=[])
    given = parser.parse_args()
    named = tuple((path, benchmark) for path, benchmark in given.peer)
    raise SystemExit(0 if main(given.runs, given.injected, given.seed, named) else 1)
