"""Whether a change for the better shows in all samples, or is only more scatter.

A launch is summed up by its undisturbed samples (`estimate`). A candidate whose samples scatter
more has lower lowest ones, although their mean is no better. So a change for the better is
reported only where all samples together changed so too; else it is a finding (decision 46).

    Scatter.test_of_pairs(pairs, margin).finding(row)     None: all samples agree
"""

import numpy as np

from assay.judge.effects import Floats
from assay.judge.estimate import HIGHEST, LOWEST, summary_method
from assay.judge.paired.confidence_sequence import huber_location, increments
from assay.model import Finding, Pair, Series, Verdict

OF = "scatter"  # the `Finding.of` of a finding about scatter


class Scatter:
    """Tests many pairs, one a row, whether a change for the better shows in all samples together.

    Pairs are of one kind of metric, with several samples a launch. `margin`: 0.01 is 1 %.
    """

    def __init__(self, pairs: list[Pair], margin: float) -> None:
        self._pairs, self._margin = pairs, margin
        ratios = np.array([_log_means(pair.candidate) - _log_means(pair.base) for pair in pairs])
        self._all = np.expm1(huber_location(increments(ratios, 0.0)))

    @classmethod
    def test_of_pairs(cls, pairs: list[Pair], margin: float) -> "Scatter | None":
        """The test of these pairs; None if a launch has one sample, or their metric is no time or
        rate."""
        if any(
            summary_method(one.metric) not in (LOWEST, HIGHEST) or _fewest_samples(one) < 2
            for one in pairs
        ):
            return None
        return cls(pairs, margin)

    def finding(self, row: int) -> Finding | None:
        """None where all samples together are better by more than the margin, too.

        Else a finding whose size is by how much more the samples scatter: 4 is five times as much.
        """
        less_is_better = summary_method(self._pairs[row].metric) == LOWEST
        better = -self._all[row] if less_is_better else self._all[row]
        if better > self._margin:
            return None
        base, candidate = (
            _relative_deviation(one) for one in (self._pairs[row].base, self._pairs[row].candidate)
        )
        times = candidate / base - 1.0 if base > 0.0 else 0.0
        return Finding(of=OF, verdict=Verdict.DIFFERENT, share=1.0, size=float(times))


def _log_means(series: Series) -> Floats:
    """The logarithm of the mean of each launch."""
    return np.log([sum(launch) / len(launch) for launch in series.launches])


def _relative_deviation(series: Series) -> float:
    """The standard deviation of a launch's samples over their mean: the median over launches."""
    return float(np.median([np.std(launch) / np.mean(launch) for launch in series.launches]))


def _fewest_samples(pair: Pair) -> int:
    return min(len(launch) for side in (pair.base, pair.candidate) for launch in side.launches)
