"""Is "same machine code" ever said where it is not, and how often not where it is?

    .venv/bin/python -m benchmarks.same_code MANIFEST [--out FILE] [--iterations N] [--only KIND]

MANIFEST is a JSON list of pairs of Google Benchmark executables whose truth is known:

    {"id": "017", "kind": "constant", "base": "base/bench", "candidate": "candidate/bench",
     "cwd": null or "exe dir", "benchmarks": {"BM_parse": "changed", "BM_copy": "unchanged"}}

Each benchmark is traced on both sides, nothing is timed. Prints, by kind, how many that changed
were called the same (none may be), and how many that did not change were not (with the reason).
"""

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from contextlib import chdir
from pathlib import Path
from typing import Any, NamedTuple

from assay.cli.common.runtime import process_executor
from assay.judge.same_code import compare_footprints
from assay.measure.placed_executor import PlacedExecutor
from assay.measure.profile.identity.footprint import Footprints
from assay.measure.targets.gbench import GBenchTarget
from assay.record import reader
from assay.same_code import Footprint, SameCode

BESIDE = "exe dir"  # each side runs in the folder of its executable


class Case(NamedTuple):
    """One benchmark of one pair."""

    id: str
    kind: str
    benchmark: str
    truth: str
    found: SameCode
    seconds: float

    @property
    def is_wrong(self) -> bool:
        return self.truth == "changed" and self.found.same

    @property
    def is_missed(self) -> bool:
        return self.truth == "unchanged" and not self.found.same


class _Tracer:
    """Both sides of a pair, each where it is to run."""

    def __init__(self, iterations: int) -> None:
        self._executor = process_executor()
        self._made = Footprints(self._executor)
        self._iterations = iterations
        self._known: dict[tuple[str, str], Footprint] = {}  # of bases: each has many candidates

    def cases(self, pair: dict[str, Any]) -> list[Case]:
        sides = [str(Path(pair[side]).resolve()) for side in ("base", "candidate")]
        found = []
        for name, truth in pair["benchmarks"].items():
            started_s = time.monotonic()
            folders = [Path(one).parent if pair.get("cwd") == BESIDE else None for one in sides]
            if (sides[0], name) not in self._known:
                self._known[sides[0], name] = self._footprint(sides[0], folders[0], name)
            prints = self._known[sides[0], name], self._footprint(sides[1], folders[1], name)
            same = compare_footprints(prints[0], prints[1], min(one.iterations for one in prints))
            took_s = time.monotonic() - started_s
            found.append(Case(str(pair["id"]), pair["kind"], name, truth, same, took_s))
        return found

    def _footprint(self, program: str, folder: Path | None, name: str) -> Footprint:
        placed = PlacedExecutor(self._executor, folder or Path.cwd(), {})
        target = GBenchTarget((program,), program, placed, _parse, 600.0).with_probed_engine()
        return self._made.footprint(target, name, self._iterations)


def _parse(data: bytes, origin: str) -> Any:
    return reader.parse(data, origin)


def main() -> int:
    """0: no change was called the same."""
    options = _options()
    pairs = json.loads(options.manifest.read_text())
    tracer = _Tracer(options.iterations)
    cases: list[Case] = []
    with chdir(options.manifest.parent):
        for pair in pairs:
            if not options.only or pair["kind"] in options.only:
                cases += tracer.cases(pair)
                _tell(cases[-len(pair["benchmarks"]) :])
    _print_table(cases)
    if options.out:
        rows = [{**one._asdict(), "found": one.found.same, "why": one.found.why} for one in cases]
        options.out.write_text(json.dumps(rows, indent=1))
    if not any(one.truth == "changed" for one in cases):
        print("nothing that changed was looked at")
        return 2
    return 1 if any(one.is_wrong for one in cases) else 0


def _tell(cases: list[Case]) -> None:
    for one in cases:
        if one.is_wrong or one.is_missed:
            how = "WRONG" if one.is_wrong else "missed"
            print(f"{how}: {one.id} {one.kind} {one.benchmark}: {one.found.why}", flush=True)


def _print_table(cases: list[Case]) -> None:
    kinds: dict[tuple[str, str], list[Case]] = defaultdict(list)
    for one in cases:
        kinds[one.truth, one.kind].append(one)
    print(f"{'truth':10} {'kind':34} {'looked at':>9} {'called same':>11}")
    for (truth, kind), some in sorted(kinds.items()):
        print(f"{truth:10} {kind:34} {len(some):9} {sum(one.found.same for one in some):11}")
    for truth in ("changed", "unchanged"):
        some = [one for one in cases if one.truth == truth]
        print(f"{truth}: {sum(one.found.same for one in some)} of {len(some)} called the same")
    reasons = Counter(one.found.why.split(":")[0][:60] for one in cases if one.is_missed)
    for reason, number in reasons.most_common(10):
        print(f"  missed {number}: {reason}")
    seconds = sorted(one.seconds for one in cases)
    if seconds:
        middle, worst = seconds[len(seconds) // 2], seconds[-1]
        print(f"a benchmark, its base known or not: {middle:.2f} s (median), {worst:.2f} s at most")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("manifest", type=Path)
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--only", action="append", metavar="KIND")
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
