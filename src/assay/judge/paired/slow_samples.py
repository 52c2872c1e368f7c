"""The slow samples inside launches: a pause, a flush, a rehash now and then.

A launch is summed up by its undisturbed samples (`estimate`), in which such costs do not
show. They show in all its samples together. So bets are made on the ratio of the means as on the
centre: a bettor against "not beyond the margin" wins where launches as a whole are slower
(decision 28).
"""

from itertools import pairwise

import numpy as np

from assay.judge.effects import Floats
from assay.judge.estimate import LOWEST, summary_method
from assay.judge.paired.confidence_sequence import (
    Increments,
    e_process,
    huber_location,
    increments,
    rows_of,
)
from assay.judge.paired.predictable import rounds_of_updates
from assay.model import Finding, Pair, Verdict

# Samples a launch: in fewer, none can be told to be slow. The least number that has a third, by
# which a launch is summed up (`judge/estimate.py`).
_FEWEST = 3
# Times the fastest sample of its launch: slower ones count as slow. Not tuned: only the share that
# is named in a finding depends on it (decision 50).
_SLOW = 1.5


class SlowSamples:
    """Tests many pairs, one a row, for changes of their slow samples, by bets made in `__init__`.

    `autocorrelation` is that of the whole suite, where known, `edges` the upper and lower edge of
    the margin as log ratios. `wealth` is the evidence: the most that the bettor on slower (+1) or
    on faster (-1) ever had, for each pair.
    """

    def __init__(
        self, pairs: list[Pair], autocorrelation: Floats | float | None, edges: tuple[float, float]
    ) -> None:
        self._pairs = pairs
        ratios = np.log(_means(pairs, "candidate")) - np.log(_means(pairs, "base"))
        # Autocorrelation that is only suspected is left out: it would move whole launches, and so
        # their centre, and a finding counts only where it differs from that (`BetsBesideCentre`).
        self._bets = increments(
            ratios,
            0.0 if autocorrelation is None else autocorrelation,
            suspected=autocorrelation is None,
        )
        paths = {
            side: e_process(_bets_by_distance(self._bets, edge), np.full(len(pairs), edge), side)
            for side, edge in zip((1.0, -1.0), edges, strict=True)
        }
        self.wealth = {side: path.max(axis=1) for side, path in paths.items()}
        self._now = {side: path[:, -1] for side, path in paths.items()}

    @classmethod
    def bets_on_pairs(
        cls, pairs: list[Pair], autocorrelation: Floats | float | None, edges: tuple[float, float]
    ) -> "SlowSamples | None":
        """The bets on these pairs; None where they are no times or a launch has too few samples."""
        if any(
            summary_method(pair.metric) != LOWEST or _least_samples(pair) < _FEWEST
            for pair in pairs
        ):
            return None
        return cls(pairs, autocorrelation, edges)

    def is_suspected(self, row: int, enough: float) -> bool:
        """Whether the bettor on slower, or on faster, has a wealth of `enough` after all rounds."""
        return any(bool(now[row] >= enough) for now in self._now.values())

    def finding(self, row: int, verdict: Verdict) -> Finding:
        """By how much all samples together differ (0.05: 5 %), and what share more are slow."""
        size = float(np.expm1(huber_location(rows_of(self._bets, np.array([row])))[0]))
        pair = self._pairs[row]
        more = _slow_share(pair.candidate.launches) - _slow_share(pair.base.launches)
        return Finding(of="samples", verdict=verdict, share=abs(more), size=size)


def _bets_by_distance(bets: Increments, edge: float) -> Increments:
    """The bets, where only rounds at least as far from the edge as usual count in full.

    Launches without a pause lie near the edge, those with one far beyond it. If rounds were weighed
    by the scatter around the centre, one of the former would lose as much as one of the latter wins
    (decision 28: a pause of 1 ms in 10 was then found in 24 of 60 tries).
    """
    scale = bets.scale.copy()
    rounds = bets.d.shape[1]
    for now, then in pairwise((*rounds_of_updates(rounds), rounds)):
        usual = np.median(np.abs(bets.d[:, :now] - edge), axis=1)
        scale[:, now:then] = np.maximum(scale[:, now:then], usual[:, None])
    return bets._replace(scale=scale)


def _least_samples(pair: Pair) -> int:
    return min(len(launch) for side in (pair.base, pair.candidate) for launch in side.launches)


def _means(pairs: list[Pair], side: str) -> Floats:
    return np.array(
        [[sum(one) / len(one) for one in getattr(pair, side).launches] for pair in pairs]
    )


def _slow_share(launches: tuple[tuple[float, ...], ...]) -> float:
    """The share of all samples that are far above the fastest of their launch."""
    slow = sum(value > _SLOW * min(launch) for launch in launches for value in launch)
    return slow / sum(len(launch) for launch in launches)
