"""Change points of real histories whose changes are labelled, beside Otava and Perfherder.

    python -m benchmarks.change_real FOLDER [--otava 1e-3] [--t 7]

FOLDER holds one JSON file a series: "source", "name", "set" ("tune", "check" or "published"),
"values" (one a run, positive, in order), "changes" (first runs of new levels), and where known
"possible" (changes too small or too short to be held for or against anybody) and "ramps" (pairs
of runs between which the level climbs slowly). The data are other people's and none lie here:
docs/decisions/0033 says which were taken, and by which rule they were labelled.

All are asked after every run. What is told within NEAR runs of a change finds it, once; what is
told near a possible one or in a ramp does not count; all else is a false alert. The others are
made as strict as gives them as many false alerts on the set "tune" as Assay has there, and stand
beside that as they are set by their makers. Otava: `pip install --no-deps apache-otava`.
"""

import argparse
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from assay.judge.history.summary import judge_history  # noqa: E402
from benchmarks.change_opponents import WITH_OTAVA, Asked, Found, perfherder  # noqa: E402

NEAR = 5  # runs that a change found may lie from the true one
AFTER = (8, 12, 24)  # runs of a new level
OTAVA, PERFHERDER = 1e-3, 7.0  # as their makers set them
STEPS = 7  # halvings of the range of strictness: about 1 % of it
NEVER = 10**6


class Series(msgspec.Struct, frozen=True):
    """One labelled history."""

    source: str
    name: str
    set: str
    values: list[float]
    changes: list[int]
    possible: list[int] = []
    ramps: list[tuple[int, int]] = []


class Score(NamedTuple):
    """Of one way on some series."""

    true: int
    right: int
    false: int
    runs: int
    delays: tuple[int, ...]  # of all true changes, NEVER where it was not told

    @property
    def precision(self) -> float:
        return self.right / max(self.right + self.false, 1)

    @property
    def recall(self) -> float:
        return self.right / max(self.true, 1)

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2.0 * self.precision * self.recall / both if both else 0.0

    @property
    def false_a_year(self) -> float:
        """A series and 365 runs."""
        return 365.0 * self.false / max(self.runs, 1)


Way = Callable[[Series], list[Found]]


def main(folder: Path, otava: float | None = None, t: float | None = None) -> bool:
    """Whether ours has the best F1 on the set "check"."""
    series = read(folder)
    sets = {name: [one for one in series if one.set == name] for name in ("tune", "check")}
    sets["published"] = [one for one in series if one.set == "published"]
    allowed = scored(ours, sets["tune"]).false
    ways: dict[str, Way] = {"Assay": ours}
    if WITH_OTAVA:
        strict = otava or 10.0 ** -strictness(with_p, sets["tune"], allowed, 2.0, 60.0)
        ways[f"Apache Otava at {strict:.1e}"] = with_p(-math.log10(strict))
        ways[f"Apache Otava at {OTAVA:g}"] = with_p(-math.log10(OTAVA))
    limit = t or strictness(with_t, sets["tune"], allowed, 2.0, 60.0)
    ways[f"Perfherder's t at {limit:.1f}"] = with_t(limit)
    ways[f"Perfherder's t at {PERFHERDER:g}"] = with_t(PERFHERDER)
    for name, these in sets.items():
        if these:
            told(name, these, ways)
    f1 = [scored(way, sets["check"]).f1 for way in ways.values()]
    return f1[0] == max(f1)


def read(folder: Path) -> list[Series]:
    return [
        msgspec.json.decode(one.read_bytes(), type=Series) for one in sorted(folder.glob("*.json"))
    ]


def told(name: str, series: Sequence[Series], ways: dict[str, Way]) -> None:
    """Print a table of this set, and of each source F1 in the order of the ways."""
    changes = sum(len(one.changes) for one in series)
    print(f"{name}: {len(series)} series, {changes} changes")
    head = "".join(f"{f'in {runs}':>7}" for runs in AFTER)
    print(f"  {'':28}    F1  precision  recall  false a year  median{head}")
    for label, way in ways.items():
        score = scored(way, series)
        seen = np.array(score.delays)
        after = "".join(f"{np.mean(seen <= runs):7.0%}" for runs in AFTER)
        median = [one for one in score.delays if one < NEVER]
        print(
            f"  {label:28} {score.f1:5.3f} {score.precision:10.3f} {score.recall:7.3f}"
            f" {score.false_a_year:13.2f} {np.median(median) if median else math.nan:7.1f}{after}",
            flush=True,
        )
    for source in sorted({one.source for one in series}):
        these = [one for one in series if one.source == source]
        scores = [scored(way, these) for way in ways.values()]
        cells = "   ".join(f"{one.right:3}/{one.true:<3}+{one.false:<3}" for one in scores)
        print(f"    {source:16} found/true+false: {cells}")


def scored(way: Way, series: Iterable[Series]) -> Score:
    every = [_score(one, way(one)) for one in series]
    return Score(
        true=sum(one.true for one in every),
        right=sum(one.right for one in every),
        false=sum(one.false for one in every),
        runs=sum(one.runs for one in every),
        delays=tuple(d for one in every for d in one.delays),
    )


def _score(one: Series, found: Sequence[Found]) -> Score:
    """Each true change takes the nearest that was told of it; the others are on their own."""
    left, delays = list(found), []
    for at in one.changes:
        best = _nearest(at, left)
        if best is not None:
            left.remove(best)
        delays.append(NEVER if best is None else max(best.seen_at - at + 1, 1))
    right = sum(delay < NEVER for delay in delays)
    false = sum(not _is_open(one, f.split) for f in left)
    return Score(len(one.changes), right, false, len(one.values), tuple(delays))


def _nearest(at: int, found: Sequence[Found]) -> Found | None:
    near = [one for one in found if abs(one.split - at) <= NEAR]
    return min(near, key=lambda one: (abs(one.split - at), one.seen_at), default=None)


def _is_open(one: Series, split: int) -> bool:
    """Nobody knows whether there is a change."""
    near = any(abs(split - at) <= NEAR for at in one.possible)
    return near or any(low - NEAR <= split <= high + NEAR for low, high in one.ramps)


def ours(one: Series) -> list[Found]:
    return [Found(change.split, change.seen_at) for change in judge_history(one.values).changes]


def with_t(limit: float) -> Way:
    return lambda one: perfherder(np.array([one.values]), limit)[0]


def with_p(strict: float) -> Way:
    """Otava at a p-value of ten to minus `strict`."""
    return lambda one: Asked(np.array(one.values)).found(math.pow(10.0, -strict))


def strictness(
    way: Callable[[float], Way], series: Sequence[Series], allowed: int, low: float, high: float
) -> float:
    """The loosest that makes no more false alerts than these."""
    for _ in range(STEPS):
        middle = 0.5 * (low + high)
        if scored(way(middle), series).false <= allowed:
            high = middle
        else:
            low = middle
    return high


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--otava", type=float, help="its p-value, instead of as many false alerts")
    parser.add_argument("--t", type=float, help="Perfherder's limit, likewise")
    args = parser.parse_args()
    sys.exit(0 if main(args.folder, args.otava, args.t) else 1)
