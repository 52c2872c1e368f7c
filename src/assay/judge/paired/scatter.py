"""More scatter is not speed: whether all samples of a launch agree that it became better.

A launch is summed up by its undisturbed samples (`estimate`): a candidate whose samples scatter
more has lower lowest ones, on no better a mean. So a change for the better is told only where all
samples together changed so too; else it is a finding of its own.

    Scatter.of(pairs, margin).finding(row)     None: all samples agree
"""

import numpy as np

from assay.judge.effects import Floats
from assay.judge.estimate import HIGHEST, LOWEST, rule
from assay.judge.paired.confidence_sequence import huber_location, increments
from assay.model import Finding, Pair, Series, Verdict

OF = "scatter"


class Scatter:
    """Pairs of one metric's kind with several samples a launch, one a row."""

    def __init__(self, pairs: list[Pair], margin: float) -> None:
        self._pairs, self._margin = pairs, margin
        ratios = np.array([_means(pair.candidate) - _means(pair.base) for pair in pairs])
        self._all = np.expm1(huber_location(increments(ratios, 0.0)))

    @classmethod
    def of(cls, pairs: list[Pair], margin: float) -> "Scatter | None":
        """None where a launch is summed up by all of its samples, or has one only."""
        if any(rule(one.metric) not in (LOWEST, HIGHEST) or _least(one) < 2 for one in pairs):
            return None
        return cls(pairs, margin)

    def finding(self, row: int) -> Finding | None:
        """None where all samples together are better by more than the margin, too."""
        less_is_better = rule(self._pairs[row].metric) == LOWEST
        better = -self._all[row] if less_is_better else self._all[row]
        if better > self._margin:
            return None
        base, candidate = (
            _spread(one) for one in (self._pairs[row].base, self._pairs[row].candidate)
        )
        times = candidate / base - 1.0 if base > 0.0 else 0.0
        return Finding(of=OF, verdict=Verdict.DIFFERENT, share=1.0, size=float(times))


def _means(series: Series) -> Floats:
    return np.log([sum(launch) / len(launch) for launch in series.launches])


def _spread(series: Series) -> float:
    """Of the samples within a launch, as a share of their mean; over launches the median."""
    return float(np.median([np.std(launch) / np.mean(launch) for launch in series.launches]))


def _least(pair: Pair) -> int:
    return min(len(launch) for side in (pair.base, pair.candidate) for launch in side.launches)
