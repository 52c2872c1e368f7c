"""How much the last runs differ from those before them: evidence(scores, first, noise).

For every run and every length of window: the mean score of the window against the mean score
of the runs of the same segment before it. Evidence is a logarithm: normal noise of a known
scale has half the square of the standardised difference.
"""

import math

import numpy as np
from numpy.typing import NDArray

from assay.judge.history.noise import CUTS, DIFFERENCES, Floats, Noise, inflation

Counts = NDArray[np.int_]

LENGTHS = np.array(
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 19, 22, 26, 30, 36, 44, 52, 64, 80, 100, 128]
)
# Less is made of windows that do little for a change of two deviations in eight runs. One run or
# two can only show a change of what hardly ever varied; long windows find small changes. How long
# a window is for that, is how much it tells: with an echo, twenty runs may tell as much as eight.
_OF_LONG, _GROWS = 2.4, 0.6  # for each run beyond eight
_HANDICAP_OF_SHORT = np.interp(LENGTHS, [1, 2, 3, 4, 5, 6, 7], [3.0, 2.5, 2.0, 1.2, 0.7, 0.3, 0.0])
# A level that was just made of the few runs that stood out is not far from where it came from:
# without this, half of all false candidates had a second one, on the way back.
_YOUNG, _HANDICAP_OF_YOUNG = 16, 0.4
_OF_ECHO = 44.0  # times the echo, over the square root of the runs that it was learnt from
_WILD = 1.5  # for each scale by which the cut is closer than for normal noise
_EARLY, _LEARNT = 2.0, 120  # falls to none when so many runs are known
_FEWEST_BEFORE = 2
_ABOVE_PARABOLA = 0.25 * float(DIFFERENCES[1] - DIFFERENCES[0]) ** 2 + 1e-9  # of its square
_SPENT = 16  # runs that tell nothing of the scale and the echo: what was learnt early errs most


def evidence(
    scores: Floats, first: int, noise: Noise, worth: float = 1.0, least: float = 0.0
) -> Floats:
    """For each run from `first` on, that of the best window. A run before is `worth` less than one
    of the window where the level before is a line drawn on.

    Where no window can show as much as `least`, 0 stands instead: to see that is cheap.
    """
    if len(scores) <= _FEWEST_BEFORE:
        return np.zeros(len(scores) - first)
    ends = np.arange(first + 1, len(scores) + 1)
    before = ends[:, None] - LENGTHS
    known = before >= _FEWEST_BEFORE
    before = np.maximum(before, 1)
    windows = _Windows(noise.echo)
    difference = windows.steps(scores, before, ends[:, None])
    found = np.zeros(len(ends))
    high = (np.abs(difference) >= _lowest(noise, windows, least)).any(axis=1)
    if high.any():
        before = before[high]
        young = _HANDICAP_OF_YOUNG * np.maximum(_YOUNG - before, 0)
        level = inflation(before.astype(float), noise.echo) / (worth * before)
        rate = np.interp(difference[high], DIFFERENCES, noise.rate)
        shown = as_learnt(rate / windows.variance_beside(level), noise)
        shown = shown - windows.handicap - young - _doubt(noise)
        found[high] = np.where(known[high], shown, 0.0).max(axis=1)
    return found


class _Windows:
    """What windows of all LENGTHS tell of a step, where a share of each run returns in the next.

    A run tells only what it has beyond the share of the run before: the whole step, if it is the
    first of the new level, and less of it later. Weighted by that, the runs give the step with
    the least variance there can be; without an echo it is a plain mean.
    """

    def __init__(self, echo: float) -> None:
        self._echo, self._own = echo, 1.0 - echo
        self._weight = 1.0 + (LENGTHS - 1) * self._own**2
        self._of_level = self._own * (1.0 + (LENGTHS - 1) * self._own) / self._weight
        self.variance = (1.0 - echo * echo) / self._weight  # of a step, for scores of 1
        alone = 1.0 / self.variance  # so many runs without an echo would tell as much
        self.handicap = _HANDICAP_OF_SHORT + np.clip(_GROWS * (alone - 8.0), 0.0, _OF_LONG)

    def steps(self, scores: Floats, before: Counts, ends: Counts) -> Floats:
        """Of the windows between these runs, from the mean of all runs before."""
        means = np.cumsum(scores) / np.arange(1, len(scores) + 1)
        alone = scores.copy()
        alone[1:] -= self._echo * scores[:-1]
        total = np.concatenate(([0.0], np.cumsum(alone)))
        edge = self._echo * total[1:] - total[:-1]  # the first run counts in full, the others less
        found = (self._own * total[ends] + edge[before]) / self._weight
        return np.asarray(found - self._of_level * means[before - 1])

    def variance_beside(self, level: Floats) -> Floats:
        """Where the level before has this variance."""
        return np.asarray(self.variance + self._of_level**2 * level)


def _lowest(noise: Noise, windows: _Windows, least: float) -> Floats:
    """For each length, a difference below which evidence is less than this, whatever runs lie
    before: the rate is never above a parabola, nor its straight pieces far above it."""
    if least <= 0.0:
        return np.zeros(len(LENGTHS))
    learnt = least + windows.handicap + _doubt(noise)
    freedom = _freedom(noise)
    rate = 0.5 * freedom * np.expm1(2.0 * learnt / freedom) * windows.variance
    return np.asarray(np.sqrt(np.maximum(2.0 * noise.variance * rate - _ABOVE_PARABOLA, 0.0)))


def of_splits(difference: Floats, before: Counts, after: Counts, noise: Noise) -> Floats:
    """Evidence of differences between the means of so many runs before and after."""
    runs = np.arange(1.0, max(int(before.max()), int(after.max())) + 1.0)
    variance = inflation(runs, noise.echo) / runs
    rate = np.interp(difference, DIFFERENCES, noise.rate)
    return np.asarray(rate / (variance[before - 1] + variance[after - 1]))


def _doubt(noise: Noise) -> float:
    """More is asked for where there is an echo, as it may be larger than it seems; where some runs
    are wild, so that the cut lies close; and early, when an echo may not have shown."""
    early = _EARLY * max(0.0, 1.0 - noise.runs / _LEARNT)
    echo = _OF_ECHO * noise.echo / math.sqrt(max(noise.runs, 1))
    return echo + _WILD * (CUTS[0] - noise.cut) + early


def of_all_runs(shown: Floats, noise: Noise) -> float:
    """Of the best split of two whole segments, on the scale of `evidence`."""
    return float(as_learnt(shown.max(), noise)) - _OF_LONG - _doubt(noise)


def as_learnt(shown: Floats, noise: Noise) -> Floats:
    """The same, less sure because the noise was learnt from few runs: Student's t does so."""
    freedom = _freedom(noise)
    return np.asarray(0.5 * freedom * np.log1p(2.0 * shown / freedom))


def _freedom(noise: Noise) -> int:
    return max(noise.runs - _SPENT, 4)


def profile(scores: Floats, noise: Noise) -> tuple[Counts, Floats]:
    """Every place where these runs could be split in two, and the evidence for it."""
    places = np.arange(1, len(scores))
    total = np.cumsum(scores)
    left = total[:-1] / places
    right = (total[-1] - total[:-1]) / (len(scores) - places)
    return places, of_splits(right - left, places, len(scores) - places, noise)
