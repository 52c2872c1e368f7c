"""Pairs measured one side after the other: drift of the host is part of the effect.

Such data cannot tell a slower program from a host that slowed down between the two runs. So the
interval is that of the repetitions (Hodges and Lehmann's, by ranks, which assumes nothing about
their distribution) widened by the drift that this host is known, or assumed, to have (decision 5).
"""

import math
from statistics import NormalDist

import numpy as np

from assay.judge.effects import Effects, FindingsBesideCentre, Floats, RoundsNeeded, Rows
from assay.judge.estimate import launch_estimates
from assay.judge.unpaired import ranks
from assay.judging import Drift, OneAfterTheOther
from assay.model import Floor, Pair
from assay.remarks import Remark, TooFewRepetitions

# The largest relative change that an unchanged program showed in a calm hour (docs/field.md,
# decision 5).
ASSUMED_DRIFT = 0.12
FEWEST = 5  # repetitions a side, for an interval (decision 5)
# The next two are round numbers that no decision names; they bound time and memory.
MOST = 200  # values a side; more are joined into blocks, because all are compared with all
_CELLS = 4_000_000  # differences that are held at a time


class SequentialPairs:
    """Pairs measured one side after the other, with n values of the base and m of the candidate.

    All have the same n and m, of independent values. The method is in decision 5.

    `floor` has the measured drift of the host; None: it is assumed. The methods are those of
    `effects.PairGroup`.
    """

    def __init__(self, pairs: list[Pair], floor: Floor | None) -> None:
        self.pairs = pairs
        drift = drift_of(floor)
        self._drift = math.log1p(drift.size)
        base, candidate = _values_of_sides(pairs)
        self._n, self._m = int(base.shape[1]), int(candidate.shape[1])
        old, new = np.median(base, axis=1), np.median(candidate, axis=1)
        self._differences = _sorted_differences(base, candidate)
        change = (new - old) / np.abs(old)
        method = OneAfterTheOther(drift)
        self.effects = Effects(old, new, change, self._p_values(), self._smaller_count, method)

    @property
    def _smaller_count(self) -> int:
        return min(self._n, self._m)

    def _p_values(self) -> Floats:
        """P-values for a change beyond the drift; NaN with too few repetitions."""
        if self._smaller_count < FEWEST:
            return np.full(len(self.pairs), np.nan)
        above = np.sum(self._differences > self._drift, axis=1)
        below = np.sum(self._differences < -self._drift, axis=1)
        tail = ranks.upper_tail_of_u(self._n, self._m, np.maximum(above, below))
        return np.minimum(1.0, 2.0 * tail)

    def interval(self, rows: Rows, alpha: float) -> tuple[Floats, Floats]:
        """Relative ends: order statistics of all differences of logarithms, widened by the drift;
        NaN with too few repetitions."""
        if self._smaller_count < FEWEST:
            missing = np.full(len(rows), np.nan)
            return missing, missing
        index = max(0, ranks.order_index(self._n, self._m, alpha / 2))
        low = self._differences[rows, index]
        high = self._differences[rows, self._n * self._m - 1 - index]
        extra = self._extra_width(alpha / 2) * (high - low) / 2 + self._drift
        change = self.effects.change[rows]
        return np.fmin(np.expm1(low - extra), change), np.fmax(np.expm1(high + extra), change)

    def _extra_width(self, tail: float) -> float:
        """By how much to widen the whole range of differences where it does not reach the level."""
        least = ranks.least_level(self._n, self._m)
        if tail >= least:
            return 0.0
        return NormalDist().inv_cdf(tail) / NormalDist().inv_cdf(least) - 1.0

    def beside(self, margin: float, level: float) -> list[FindingsBesideCentre]:
        """No findings: slow launches cannot be told from drift of the host in between."""
        return [FindingsBesideCentre()] * len(self.pairs)

    def needed(self, margin: float, level: float) -> list[tuple[RoundsNeeded, ...]]:
        """No number of repetitions: more do not make the drift smaller."""
        return [(RoundsNeeded(),)] * len(self.pairs)

    def noise(self) -> list[float]:
        """NaN for each pair: there are no rounds."""
        return [math.nan] * len(self.pairs)

    def placement_sd(self, row: int) -> None:
        """None: files do not say which link a launch took."""

    def fewest(self, level: float) -> None:
        """None: more repetitions do not make the drift smaller."""

    def notes(self, row: int) -> tuple[Remark, ...]:
        """A remark where there are too few repetitions for an interval."""
        return (
            ()
            if self._smaller_count >= FEWEST
            else (TooFewRepetitions(self._smaller_count, FEWEST),)
        )


def drift_of(floor: Floor | None) -> Drift:
    """By how much times may drift between two files: as measured, else as assumed."""
    return Drift(floor.drift, floor.source) if floor else Drift(ASSUMED_DRIFT)


def pairs_at_a_time(n: int, m: int) -> int:
    """How many pairs of n and m values are judged at a time, so that memory is bounded."""
    return max(1, _CELLS // max(1, n * m))


def independent_values(pair: Pair) -> tuple[int, int]:
    """How many independent values each side has: launches, or repetitions of few launches."""
    return _count(pair.base.launches), _count(pair.candidate.launches)


def _count(launches: tuple[tuple[float, ...], ...]) -> int:
    values = len(launches) if len(launches) >= FEWEST else sum(map(len, launches))
    return min(values, MOST)


def _values_of_sides(pairs: list[Pair]) -> tuple[Floats, Floats]:
    metric = pairs[0].metric
    base = [_values(pair.base.launches, metric) for pair in pairs]
    candidate = [_values(pair.candidate.launches, metric) for pair in pairs]
    return np.array(base, dtype=np.float64), np.array(candidate, dtype=np.float64)


def _values(launches: tuple[tuple[float, ...], ...], metric: str) -> tuple[float, ...]:
    """One value for each launch; for each repetition, where there are too few launches."""
    if len(launches) == 1:
        return _medians_of_blocks(launches[0])
    if len(launches) < FEWEST:
        return _medians_of_blocks(tuple(value for launch in launches for value in launch))
    return _medians_of_blocks(tuple(launch_estimates(launches, metric).tolist()))


def _medians_of_blocks(values: tuple[float, ...]) -> tuple[float, ...]:
    """The values, or `MOST` medians of neighbours where there are more: cheaper, and more reliable
    where neighbours resemble each other."""
    if len(values) <= MOST:
        return values
    return tuple(float(np.median(block)) for block in np.array_split(np.array(values), MOST))


def _sorted_differences(base: Floats, candidate: Floats) -> Floats:
    """ln(candidate / base) of every repetition with every other: pairs x n*m, each row sorted."""
    differences = np.log(candidate)[:, :, None] - np.log(base)[:, None, :]
    flat = differences.reshape(len(base), -1)
    flat.sort(axis=1)
    return np.asarray(flat)
