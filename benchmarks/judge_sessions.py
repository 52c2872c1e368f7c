"""Is a verdict shown as settled ever taken back? 1,000 seeded sessions, without processes.

    ./dev bench judge_sessions

Each session is measured as a live comparison measures: passes over what is not settled,
looks at growing distances, benchmarks given up in the middle, noise that is autocorrelated or
not, one metric or two, counters. What was shown as settled is then held against the
judgement of the whole record. Promised: no verdict differs. Takes about 2 minutes.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from assay.facts import Facts
from assay.judge.look import is_settled
from assay.model import Design, Record, Sample, Settings, Side, Verdict
from assay.workflows.common.plan import ComparePlan, Measuring
from assay.workflows.compare.interim import InterimResults
from assay.workflows.compare.result import judge_sides, samples_of_side

SESSIONS = 1_000
EFFECTS = (0.0, 0.0, 0.03, 0.05, -0.05, 0.2)
KINDS = ("CallsToAlloc", "CallsToRealloc", "MemoryAllocated")
Key = tuple[str, str]


class Outcome(NamedTuple):
    """Verdicts that were shown as settled, and those of them that differ at the end."""

    shown: dict[Key, Verdict]
    differing: dict[Key, tuple[Verdict, Verdict]]
    given_up: int


class Session:
    """One simulated comparison. Use once."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._names = [f"B{i}" for i in range(int(self._rng.choice([1, 2, 5, 7])))]
        self._autocorrelation = float(self._rng.choice([0.0, 0.3, 0.5, 0.7, 0.9]))
        self._rounds = int(self._rng.integers(24, 48))
        both = ("real_time", "cpu_time") if self._rng.random() < 0.5 else ()
        self.plan = ComparePlan(
            base="old",
            candidate="new",
            settings=Settings(margin=float(self._rng.choice([0.0, 0.02]))),
            measuring=Measuring(rounds=self._rounds),
            metrics=both,
        )
        self._effects = {name: float(self._rng.choice(EFFECTS)) for name in self._names}
        self._slow = {name: bool(self._rng.random() < 0.2) for name in self._names}
        self._counts = {name: self._counters() for name in self._names}
        self._last = dict.fromkeys(self._names, 0.0)
        self._samples: dict[str, list[Sample]] = {name: [] for name in self._names}
        self._launches = 0
        self.looks = InterimResults(self.plan, Design.INTERLEAVED, benchmarks=len(self._names))
        self._shown: dict[Key, Verdict] = {}

    def _counters(self) -> dict[str, tuple[float, float]]:
        """A count on either side, of some kinds only."""
        kinds = self._rng.permutation(KINDS)[: int(self._rng.integers(0, 3))]
        return {str(kind): (8.0, 8.0 + float(self._rng.integers(0, 2))) for kind in kinds}

    def run(self) -> Outcome:
        """Measure it, and judge its record."""
        given_up = self._measure()
        samples = tuple(sample for name in self._names for sample in self._samples[name])
        facts = {"design": str(Design.INTERLEAVED), **self.looks.facts()}
        record = Record(context={}, facts=Facts.read(facts, where=""), samples=samples)
        base, candidate = (
            samples_of_side(record, Side.BASE),
            samples_of_side(record, Side.CANDIDATE),
        )
        made = judge_sides(self.plan, base, candidate, record).judgement.comparisons
        final = {(one.benchmark, one.metric): one.verdict for one in made}
        differing = {
            key: (verdict, final[key])
            for key, verdict in self._shown.items()
            if final[key] is not verdict
        }
        return Outcome(self._shown, differing, given_up)

    def _measure(self) -> int:
        open_, given_up = list(self._names), 0
        for number in range(self._rounds):
            self.looks.begin_pass()
            for name in self._rng.permutation(open_).tolist():
                self._round(name, number)
                if self.looks.is_look_due(name, number + 1):
                    self._look(name)
                if self.looks.settled(name):
                    open_.remove(name)
                elif len(self._names) > 1 and self._rng.random() < 0.004:
                    self.looks.forget(name)
                    open_.remove(name)
                    given_up += 1
        return given_up

    def _look(self, name: str) -> None:
        """Note what a look shows as settled: what is asked for, and counts that are exact."""
        for one in self.looks.update(name, self._samples[name]):
            if is_settled(one) and not one.single:
                self._shown.setdefault((name, one.metric), one.verdict)

    def _round(self, name: str, number: int) -> None:
        """Two launches whose log ratio is correlated with the one before, as in this session."""
        fresh = float(self._rng.standard_normal()) * (1.0 - self._autocorrelation**2) ** 0.5
        self._last[name] = self._autocorrelation * self._last[name] + fresh
        d = self._effects[name] + 0.01 * self._last[name]
        if self._slow[name] and self._rng.random() < 0.2:
            d += 0.3
        for place, side in enumerate((Side.BASE, Side.CANDIDATE)):
            self._samples[name].append(self._sample(name, side, number, place, d))

    def _sample(self, name: str, side: Side, number: int, place: int, d: float) -> Sample:
        times = {
            metric: 100.0 * float(np.exp(place * d + 0.002 * self._rng.standard_normal()))
            for metric in ("real_time", "cpu_time")
        }
        counts = {kind: values[place] for kind, values in self._counts[name].items()}
        self._launches += 1
        return Sample(
            benchmark=name,
            values={metric: (value,) for metric, value in {**times, **counts}.items()},
            side=side,
            round=number,
            position=place,
            launch=self._launches,
        )


def main() -> bool:
    """Run them all; False when a verdict was taken back, or when none was there to take."""
    outcomes = [Session(seed).run() for seed in range(SESSIONS)]
    shown = sum(len(one.shown) for one in outcomes)
    differing = sum(len(one.differing) for one in outcomes)
    given_up = sum(one.given_up for one in outcomes)
    print(f"  {SESSIONS:,} sessions, {given_up:,} benchmarks given up in the middle")
    print(f"  {shown:,} verdicts shown as settled, {differing:,} differ at the end")
    for seed, one in enumerate(outcomes):
        for (name, metric), (before, after) in one.differing.items():
            print(f"    seed {seed}: {name} {metric}: {before}, at the end {after}")
    return differing == 0 and shown >= SESSIONS
