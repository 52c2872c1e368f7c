"""How often the intervals of `assay why`'s time hold the truth, in rounds made by chance.

    ./dev bench why_coverage
    .venv/bin/python -m benchmarks.why_coverage [--trials N]

tests/support/sampled_rounds.py makes the rounds: samples are drawn, launches vary as a whole and by
function, with heavy tails, autocorrelated rounds, and a host on which others run. What is
known of it was looked at on seeds 1 to 3; what is printed comes from seed CHECKED.
"""

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests" / "support")]

from sampled_rounds import NOISES, Noise, Truth, made  # noqa: E402

from assay.judge.attribution.shares import ALPHA, time_by_function  # noqa: E402
from assay.timed import Timed, TimeInterval  # noqa: E402
from benchmarks.tools import promised  # noqa: E402

CHECKED = 2026
ROUNDS = 30
TRIALS = 300
BASE = {"parse": 500.0, "find": 250.0, "hash": 120.0, "copy": 80.0, "grow": 30.0, "check": 20.0}
SAME = Truth(BASE, BASE)
SLOWER = Truth(BASE, {**BASE, "find": 310.0, "hash": 110.0, "grow": 45.0})
FEW = Truth({"parse": 800.0, "find": 200.0}, {"parse": 800.0, "find": 260.0})
TRUTHS = {"the same": SAME, "6.5 points slower": SLOWER, "two functions": FEW}
POINT = 0.01


class Counted(NamedTuple):
    """Of many made comparisons."""

    shares: dict[str, float]  # by function: how often its share's interval held the truth
    changes: dict[str, float]  # the same of its change's
    families: float  # how often all changes' intervals did at once
    named: float  # how often a function was named that had not changed
    found: float  # how often the largest change was named first
    half: float  # median half width of the changes' intervals, in points of the whole
    silent: float  # how often a share had no interval: it holds whatever is true


def main(trials: int = TRIALS) -> bool:
    """Print the tables; whether what is promised is kept."""
    kept = True
    for what, truth in TRUTHS.items():
        print(f"{what}: {trials} x {ROUNDS} rounds, seed {CHECKED}; held in %")
        print(f"  {'noise':14} {'shares':>8} {'changes':>8} {'families':>9} {'named':>7} "
              f"{'found':>7} {'+- points':>10} {'silent':>7}")  # fmt: skip
        for name, noise in NOISES.items():
            counted = count(truth, noise, trials, CHECKED)
            kept = _print(name, counted) and kept
    return kept


def _print(name: str, counted: Counted) -> bool:
    shares, changes = min(counted.shares.values()), min(counted.changes.values())
    print(
        f"  {name:14} {100 * shares:8.1f} {100 * changes:8.1f} {100 * counted.families:9.1f} "
        f"{100 * counted.named:7.1f} {100 * counted.found:7.1f} {counted.half:10.2f} "
        f"{100 * counted.silent:7.1f}"
    )
    return all(
        [
            promised(f"{name}: shares missed, worst function", 1 - shares, ALPHA + POINT, "of 1"),
            promised(f"{name}: changes missed, worst", 1 - changes, ALPHA + POINT, "of 1"),
            promised(f"{name}: any change missed", 1 - counted.families, ALPHA + POINT, "of 1"),
            promised(f"{name}: falsely named", counted.named, ALPHA, "of 1"),
            promised(f"{name}: shares without an interval", counted.silent, ALPHA, "of 1"),
        ]
    )


def count(truth: Truth, noise: Noise, trials: int, seed: int) -> Counted:
    """What so many comparisons of this truth come to."""
    random = np.random.default_rng(seed)
    shares, changes = (dict.fromkeys(truth.base, 0) for _ in range(2))
    families = named = found = 0
    silent = 0.0
    halves = []
    largest = max(truth.base, key=lambda one: abs(truth.candidate[one] - truth.base[one]))
    for _ in range(trials):
        time = time_by_function(made(truth, ROUNDS, noise, random), "made")
        held = _held(time, truth)
        for name in truth.base:
            shares[name] += held[name][0]
            changes[name] += held[name][1]
        families += all(change for _, change in held.values())
        names = [one.function for one in time.told]
        named += any(truth.base.get(one) == truth.candidate.get(one) for one in names)
        found += names[:1] == [largest]
        silent += sum(one.base.low is None for one in time.changes) / len(time.changes)
        halves += [_half(one.change) * 100 / time.base for one in time.changes]
    return Counted(
        {name: held / trials for name, held in shares.items()},
        {name: held / trials for name, held in changes.items()},
        families / trials,
        named / trials,
        found / trials,
        float(np.median(halves)),
        silent / trials,
    )


def _held(time: Timed, truth: Truth) -> dict[str, tuple[bool, bool]]:
    """Of each function: whether its share's interval and its change's hold the truth."""
    unit_fs = _unit_fs(time, truth)
    known = {one.function: one for one in time.changes}
    found = {}
    for name, base in truth.base.items():
        one, change = known[name], truth.candidate[name] - base
        found[name] = _holds(one.base, base * unit_fs), _holds(one.change, change * unit_fs)
    return found


def _unit_fs(time: Timed, truth: Truth) -> float:
    """Femtoseconds of one of the truth's: the noise of whole launches is no function's."""
    both = sum(truth.base.values()) + sum(truth.candidate.values())
    return (time.base + time.candidate) / both


def _holds(span: TimeInterval, value: float) -> bool:
    return span.low is None or span.high is None or span.low <= value <= span.high


def _half(span: TimeInterval) -> float:
    return float("inf") if span.low is None or span.high is None else (span.high - span.low) / 2


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--trials", type=int, default=TRIALS)
    raise SystemExit(0 if main(parser.parse_args().trials) else 1)
