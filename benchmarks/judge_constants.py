"""What a constant of the judge decides: halved and doubled, which verdicts change?

    python -m benchmarks.judge_constants [--seed N] [--suites 400] [--rows TEXT]

The same simulated suites are judged with the constant as it is, halved and doubled: of 1, 5 or 20
benchmarks with 12 to 80 rounds, of every noise of the tests, a third of the benchmarks changed (all
launches, one in five, or a pause in some samples). "false": changed verdicts on benchmarks that did
not change, "found": on those that did. Nothing is promised of it. The tables are in decision 50.
"""

import argparse
import importlib
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests" / "support")]

from judging import NOISES, SCATTER, rounds_of  # noqa: E402

from assay.judge.family.strength import strength  # noqa: E402
from assay.judge.family.undecided import shortage_of_undecided  # noqa: E402
from assay.judge.paired.suite_autocorrelation import shared_autocorrelation  # noqa: E402
from assay.judge.verdict import judge  # noqa: E402
from assay.model import Comparison, Pair, Settings, Verdict  # noqa: E402

Floats = NDArray[np.float64]
SAMPLES = 6
EFFECTS = (0.01, 0.03, 0.08, 0.3)


class Constant(NamedTuple):
    """A constant of a module below `assay.judge`, and the two values that it is tried with."""

    module: str
    name: str
    halved: Any
    doubled: Any

    @property
    def label(self) -> str:
        return f"{self.module.rpartition('.')[2]}.{self.name}"


class Suite(NamedTuple):
    """Pairs of one session, and which of them did change."""

    pairs: list[Pair]
    changed: list[bool]
    d: Floats  # log ratios of the rounds, from which the suite's autocorrelation is estimated


def constants() -> list[Constant]:
    from assay.judge.paired.batch_means import RatioThreshold
    from assay.judge.paired.predictable import Threshold

    here = "paired.predictable"
    return [
        Constant(here, "FIRST_AUTOCORRELATION", 3, 8),
        Constant(here, "_LARGEST_AUTOCORRELATION", 0.8, 0.95),
        Constant(here, "_TAIL", 1.0, 4.0),
        Constant(here, "LONGEST", 0.9, 0.975),
        Constant(here, "IN_FAMILY", Threshold(2.5, 0.25), Threshold(2.5, 1.0)),
        Constant(
            "paired.suite_autocorrelation",
            "_WHOLE_FAMILY",
            Threshold(2.0, 1.0),
            Threshold(2.0, 4.0),
        ),
        Constant("paired.suite_autocorrelation", "_FIRST_LAG_2", 4, 16),
        Constant("paired.batch_means", "_FEWEST_BATCHES", 2, 6),
        Constant("paired.batch_means", "_FIRST", 4, 16),
        Constant(
            "paired.batch_means", "BY_ITSELF", RatioThreshold(1.5, 0.5), RatioThreshold(1.5, 2.0)
        ),
        Constant(
            "paired.batch_means", "IN_SUITE", RatioThreshold(2.5, 0.25), RatioThreshold(2.5, 1.0)
        ),
        Constant(
            "paired.batch_means", "OF_ALL", RatioThreshold(3.0, 0.5), RatioThreshold(3.0, 2.0)
        ),
        Constant("paired.beside", "_SUSPECT", 2.5, 10.0),
        Constant("paired.tails", "_OUT", 1.25, 4.9),
        Constant("paired.tails", "_FAR_OUT", 2.6, 10.0),
        Constant("paired.tails", "_YOUNG", 1.0, 4.0),
        Constant("paired.slow_samples", "_FEWEST", 2, 7),
        Constant("paired.slow_samples", "_SLOW", 1.1, 3.0),
        Constant("paired.diagnostics", "FEWEST", 8, 32),
        Constant("paired.diagnostics", "_TWO_MODES", 0.7, 0.925),
        Constant("paired.interleaved", "_CENTRE_ERROR", 0.625, 2.5),
        Constant("family.decision", "NEVER", 50_000, 200_000),
        Constant("family.undecided", "_NEAR", 0.125, 0.5),
        Constant("family.undecided", "_WIDE", 1.0, 4.0),
        Constant("family.undecided", "_LOUD", 0.75, 3.0),
        Constant("family.undecided", "_LEAST_MARGIN", 0.005, 0.02),
        Constant("family.strength", "_MOST", 5 / 7, 13 / 14),
    ]


# Modules that are asked when all is judged: no verdict can depend on them.
AFTERWARDS = ("family.undecided", "family.strength")


def made(rng: np.random.Generator) -> Suite:
    """One suite, of any noise."""
    noise = NOISES[str(rng.choice(list(NOISES)))]
    family, rounds = int(rng.choice([1, 5, 20])), int(rng.integers(12, 81))
    d = SCATTER * float(rng.choice([0.3, 1.0, 3.0])) * noise(rng, (family, rounds))
    changed = rng.random(family) < 1 / 3
    pairs = [_pair(rng, row, f"B{i}", is_changed=bool(changed[i])) for i, row in enumerate(d)]
    return Suite(pairs, changed.tolist(), d)


def measured(suite: Suite) -> list[Pair]:
    """The pairs, with the autocorrelation of the suite as a live session would have stored it."""
    known = _autocorrelation_as_known(suite.d)
    return [msgspec.structs.replace(pair, autocorrelations=known) for pair in suite.pairs]


def _autocorrelation_as_known(d: Floats) -> tuple[float, ...]:
    known = np.full(d.shape[1], np.nan)
    now = 1
    while now < d.shape[1]:
        then = now + max(1, now // 7)
        found = shared_autocorrelation([d[:, :now]], len(d))
        known[now:then] = np.nan if found is None else found
        now = then
    return tuple(known.tolist())


def _pair(rng: np.random.Generator, d: Floats, name: str, *, is_changed: bool) -> Pair:
    shape = 2, len(d), SAMPLES
    logs = math.log(100.0) + 0.005 * np.abs(rng.standard_normal(shape))
    logs[1] += d[:, None]
    size, kind = math.log1p(float(rng.choice(EFFECTS))), int(rng.integers(0, 3))
    if is_changed and kind == 0:
        logs[1] += size * float(rng.choice([-1.0, 1.0]))
    elif is_changed and kind == 1:
        logs[1] += size * (rng.random(len(d)) < 0.2)[:, None]
    elif is_changed:
        logs[1] += 2.0 * size * (rng.random(shape[1:]) < 0.2)
    base, candidate = np.exp(logs).tolist()
    return rounds_of(base, candidate, name)


@contextmanager
def set_to(constant: Constant, value: Any) -> Iterator[None]:
    """The constant has another value, in its module and wherever it was imported from it."""
    home = importlib.import_module(f"assay.judge.{constant.module}")
    was = getattr(home, constant.name)
    users = [home]
    if not constant.name.startswith("_"):
        judges = [one for name, one in sys.modules.items() if name.startswith("assay.judge")]
        users += [one for one in judges if getattr(one, constant.name, None) is was]
    for one in users:
        setattr(one, constant.name, value)
    try:
        yield
    finally:
        for one in users:
            setattr(one, constant.name, was)


class Outcome(NamedTuple):
    """What is said of all suites, in their order."""

    suites: list[tuple[Comparison, ...]]
    comparisons: list[Comparison]
    changed: list[bool]
    reasons: list[str]
    strengths: list[object]


def outcome(suites: list[Suite], judged: list[tuple[Comparison, ...]] | None = None) -> Outcome:
    """What is said of the suites; of comparisons that are `judged` already only what follows."""
    found = Outcome([], [], [], [], [])
    for number, suite in enumerate(suites):
        settings = Settings(margin=(0.0, 0.02)[number % 2])
        comparisons = judged[number] if judged else judge(measured(suite), settings).comparisons
        found.suites.append(comparisons)
        found.comparisons.extend(comparisons)
        found.changed.extend(suite.changed)
        found.reasons.extend(
            str(shortage_of_undecided(one, settings.margin))
            if one.verdict is Verdict.UNDECIDED
            else ""
            for one in comparisons
        )
        found.strengths.append(strength(comparisons, settings.margin))
    return found


def difference(before: Outcome, after: Outcome) -> str:
    pairs = list(zip(before.comparisons, after.comparisons, strict=True))
    verdicts = sum(one.verdict is not other.verdict for one, other in pairs)
    notes = sum(one.notes != other.notes for one, other in pairs)
    needed = sum(one.rounds_needed != other.rounds_needed for one, other in pairs)
    reasons = sum(a != b for a, b in zip(before.reasons, after.reasons, strict=True))
    strengths = sum(a != b for a, b in zip(before.strengths, after.strengths, strict=True))
    return (
        f"{verdicts:4} verdicts; false {_false(before)} to {_false(after)}, "
        f"found {_found(before)} to {_found(after)}, same {_same(before)} to {_same(after)}; "
        f"width {_width(pairs):+.1%}, notes {notes}, reasons {reasons}, "
        f"needed {needed}, strengths {strengths}"
    )


def _false(all_of: Outcome) -> int:
    both = zip(all_of.comparisons, all_of.changed, strict=True)
    return sum(one.verdict.is_change and not changed for one, changed in both)


def _found(all_of: Outcome) -> int:
    both = zip(all_of.comparisons, all_of.changed, strict=True)
    return sum(one.verdict.is_change and changed for one, changed in both)


def _same(all_of: Outcome) -> int:
    return sum(one.verdict is Verdict.SAME for one in all_of.comparisons)


def _width(pairs: list[tuple[Comparison, Comparison]]) -> float:
    """By how much intervals are wider on average, where both are there."""
    halves = [(_half_width(one), _half_width(other)) for one, other in pairs]
    ratios = [wide / narrow for narrow, wide in halves if narrow and wide]
    return float(np.exp(np.mean(np.log(ratios)))) - 1.0


def _half_width(one: Comparison) -> float:
    """Half of the interval; 0 where there is none."""
    return 0.0 if one.low is None or one.high is None else (one.high - one.low) / 2


def main(arguments: list[str] | None = None) -> bool:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seed", type=int, default=47)
    parser.add_argument("--suites", type=int, default=400)
    parser.add_argument("--rows", default="")
    asked = parser.parse_args(arguments or [])
    rng = np.random.default_rng(asked.seed)
    suites = [made(rng) for _ in range(asked.suites)]
    now = outcome(suites)
    count, changed = len(now.comparisons), sum(now.changed)
    print(f"{asked.suites} suites, {count} comparisons, {changed} of them changed", flush=True)
    for constant in constants():
        if asked.rows not in constant.label:
            continue
        for value in (constant.halved, constant.doubled):
            with set_to(constant, value):
                then = outcome(suites, now.suites if constant.module in AFTERWARDS else None)
            print(f"{constant.label} {value}: {difference(now, then)}", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
