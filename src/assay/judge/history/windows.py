"""How much the last runs differ from those before them: evidence(scores, first, noise).

For every run and every length of window, the mean score of the window is compared with the mean
score of the runs of the same segment before it. Evidence is minus the natural logarithm of the
chance of such a difference, by Chernoff's bound: in normal noise of a known scale, half the square
of the standardised difference. Method and figures: decision 33, with the seeds tuned on.
"""

import math

import numpy as np
from numpy.typing import NDArray

from assay.judge.history.noise import CUTS, DIFFERENCES, Floats, RunNoise, inflation

Counts = NDArray[np.int_]

# Runs in a window. These constants were tuned on the seeds that decision 33 names.
LENGTHS = np.array(
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 19, 22, 26, 30, 36, 44, 52, 64, 80, 100, 128]
)
# A handicap is taken off the evidence of windows that help little to find a change of two
# deviations within eight runs. One run or two can only show a change of what hardly ever varied;
# long windows find small changes. A window's length counts by how much it tells: with
# autocorrelation, twenty runs may tell as much as eight.
_HANDICAP_OF_LONG, _FOR_EACH_RUN = 2.4, 0.6  # of windows of more than 8 runs: at most; for each
_HANDICAP_OF_SHORT = np.interp(LENGTHS, [1, 2, 3, 4, 5, 6, 7], [3.0, 2.5, 2.0, 1.2, 0.7, 0.3, 0.0])
# After a change, a segment begins with the few runs that stood out, and the next may lie nearer to
# the old level again. So evidence is lowered by 0.4 for each run that a segment has less than 16:
# without that, a second candidate, on the way back, followed nearly half of all false ones.
_YOUNG, _HANDICAP_OF_YOUNG = 16, 0.4
# More evidence is asked for: `_OF_AUTOCORRELATION` times the autocorrelation, over the root of the
# runs it was learnt from; `_WILD` for each scale by which the cut is closer than in normal noise;
# and `_EARLY` with few runs, which falls to none at `_LEARNT` runs.
_OF_AUTOCORRELATION = 44.0
_WILD = 1.5
_EARLY, _LEARNT = 2.0, 120
_FEWEST_BEFORE = 2  # fewest earlier runs with which a window of runs is compared
# By how much linear interpolation between the rates exceeds a parabola at most, in differences^2.
_ABOVE_PARABOLA = 0.25 * float(DIFFERENCES[1] - DIFFERENCES[0]) ** 2 + 1e-9
_SPENT = 16  # runs that do not count as degrees of freedom: what was learnt early errs most


def evidence(
    scores: Floats, first: int, noise: RunNoise, worth: float = 1.0, least: float = 0.0
) -> Floats:
    """The evidence of the best window that ends at each run from `first` on (decision 33).

    `scores` are those of one segment's runs, in units of the noise's scale. `worth` is what a run
    before the window counts beside one in it: less than 1 where the level before is a line drawn
    on. Where no window can reach `least`, which is cheap to see, 0 is returned instead.
    """
    if len(scores) <= _FEWEST_BEFORE:
        return np.zeros(len(scores) - first)
    ends = np.arange(first + 1, len(scores) + 1)
    before = ends[:, None] - LENGTHS
    known = before >= _FEWEST_BEFORE
    before = np.maximum(before, 1)
    windows = _Windows(noise.autocorrelation)
    difference = windows.steps(scores, before, ends[:, None])
    found = np.zeros(len(ends))
    high = (np.abs(difference) >= _lowest_difference(noise, windows, least)).any(axis=1)
    if high.any():
        before = before[high]
        young = _HANDICAP_OF_YOUNG * np.maximum(_YOUNG - before, 0)
        level = inflation(before.astype(float), noise.autocorrelation) / (worth * before)
        rate = np.interp(difference[high], DIFFERENCES, noise.rate)
        shown = lowered_for_few_runs(rate / windows.variance_beside(level), noise)
        shown = shown - windows.handicap - young - _evidence_asked_more(noise)
        found[high] = np.where(known[high], shown, 0.0).max(axis=1)
    return found


class _Windows:
    """The step that windows of all LENGTHS show, by generalised least squares for AR(1) scores.

    Beyond what the run before predicts, the first run of the new level shows the whole step, later
    ones less. Weighted by that, the runs give the step with the least variance there can be;
    without autocorrelation it is a plain mean (decision 33).
    """

    def __init__(self, autocorrelation: float) -> None:
        self._autocorrelation, self._own = autocorrelation, 1.0 - autocorrelation
        self._weight = 1.0 + (LENGTHS - 1) * self._own**2
        self._of_level = self._own * (1.0 + (LENGTHS - 1) * self._own) / self._weight
        # Variance of a step, for scores of variance 1.
        self.variance = (1.0 - autocorrelation * autocorrelation) / self._weight
        alone = 1.0 / self.variance  # so many runs without autocorrelation would tell as much
        self.handicap = _HANDICAP_OF_SHORT + np.clip(
            _FOR_EACH_RUN * (alone - 8.0), 0.0, _HANDICAP_OF_LONG
        )

    def steps(self, scores: Floats, before: Counts, ends: Counts) -> Floats:
        """The step of each window from `before` to `ends`, against the mean of all runs before."""
        means = np.cumsum(scores) / np.arange(1, len(scores) + 1)
        alone = scores.copy()
        alone[1:] -= self._autocorrelation * scores[:-1]
        total = np.concatenate(([0.0], np.cumsum(alone)))
        # The first run of a window counts in full, the others less.
        edge = self._autocorrelation * total[1:] - total[:-1]
        found = (self._own * total[ends] + edge[before]) / self._weight
        return np.asarray(found - self._of_level * means[before - 1])

    def variance_beside(self, level: Floats) -> Floats:
        """The variance of a step, where the level before it has the variance `level`."""
        return np.asarray(self.variance + self._of_level**2 * level)


def _lowest_difference(noise: RunNoise, windows: _Windows, least: float) -> Floats:
    """For each length, a difference below which evidence is less than `least`, whatever runs lie
    before: the rate is at most a parabola, and its straight pieces lie little above that."""
    if least <= 0.0:
        return np.zeros(len(LENGTHS))
    learnt = least + windows.handicap + _evidence_asked_more(noise)
    freedom = _degrees_of_freedom(noise)
    rate = 0.5 * freedom * np.expm1(2.0 * learnt / freedom) * windows.variance
    return np.asarray(np.sqrt(np.maximum(2.0 * noise.variance * rate - _ABOVE_PARABOLA, 0.0)))


def evidence_of_splits(
    difference: Floats, before: Counts, after: Counts, noise: RunNoise
) -> Floats:
    """For each way to split a series in two: the evidence that the level changed there. It is minus
    the logarithm of the chance of so large a difference without a change.

    One element for each split: the difference between the mean scores on both sides (distances
    from the level in units of the noise), and the number of runs before and after the split.
    """
    runs = np.arange(1.0, max(int(before.max()), int(after.max())) + 1.0)
    variance = inflation(runs, noise.autocorrelation) / runs
    rate = np.interp(difference, DIFFERENCES, noise.rate)
    return np.asarray(rate / (variance[before - 1] + variance[after - 1]))


def _evidence_asked_more(noise: RunNoise) -> float:
    """How much more evidence is asked for: where there is autocorrelation, as it may be larger than
    it seems; where some runs are wild, so that the cut is close; and in the first runs, when
    autocorrelation may not have shown yet."""
    early = _EARLY * max(0.0, 1.0 - noise.runs / _LEARNT)
    autocorrelation = _OF_AUTOCORRELATION * noise.autocorrelation / math.sqrt(max(noise.runs, 1))
    return autocorrelation + _WILD * (CUTS[0] - noise.cut) + early


def evidence_of_all_runs(shown: Floats, noise: RunNoise) -> float:
    """The evidence of the best split of two whole segments, comparable with that of `evidence`."""
    return (
        float(lowered_for_few_runs(shown.max(), noise))
        - _HANDICAP_OF_LONG
        - _evidence_asked_more(noise)
    )


def lowered_for_few_runs(shown: Floats, noise: RunNoise) -> Floats:
    """The evidence, lowered because the noise was learnt from few runs, as Student's t does."""
    freedom = _degrees_of_freedom(noise)
    return np.asarray(0.5 * freedom * np.log1p(2.0 * shown / freedom))


def _degrees_of_freedom(noise: RunNoise) -> int:
    return max(noise.runs - _SPENT, 4)


def evidence_of_each_split(scores: Floats, noise: RunNoise) -> tuple[Counts, Floats]:
    """Every index at which these scores could be split in two, and the evidence of a step there."""
    places = np.arange(1, len(scores))
    total = np.cumsum(scores)
    left = total[:-1] / places
    right = (total[-1] - total[:-1]) / (len(scores) - places)
    return places, evidence_of_splits(right - left, places, len(scores) - places, noise)
