"""Runs in a row that lie far beyond all that was ever seen: evidence_of_far_runs(residuals, first).

Scores are cut, and with autocorrelation a window of them tells little: a level many times as high
may look like one wild run and its after-effect. But neither puts five runs in a row three times
as far off as nearly all of those before, on one side. The evidence is that of ranks: how likely it
is by chance that the newest runs are the farthest ones. It assumes nothing about the noise.
"""

import math

import numpy as np

from assay.judge.history.noise import Floats

# Five runs in a row, three times as far: the rule of decision 33, made on the real histories there
# that were set aside for tuning; none of the three was tuned as a number.
_ROW = 5  # far runs in a row that are a change of level: shorter disturbances of a host are common
_TIMES = 3.0  # a run is far if its distance from the level is so many times that of earlier runs
_WILD_IN = 20  # of the earlier runs, the farthest one in 20 is left out of that comparison


def evidence_of_far_runs(residuals: Floats, first: int, scale: float) -> Floats:
    """The evidence that each run from `first` on ends a row of far runs, or 0 (decision 33).

    Evidence is a natural logarithm. `residuals` are distances of logarithms from the level before,
    `scale` is the noise's.
    """
    found = np.zeros(len(residuals) - first)
    if len(residuals) <= _ROW:
        return found
    rows = np.lib.stride_tricks.sliding_window_view(residuals, _ROW)
    least = np.maximum(rows.min(axis=1), -rows.max(axis=1))  # 0 or less: not all on one side
    for start in np.flatnonzero(least >= _TIMES * scale):
        end = int(start) + _ROW - 1
        if end >= first and _exceeds_scatter(float(least[start]), residuals[:start]):
            found[end - first] = _log_choices(int(start) + _ROW, _ROW)
    return found


def _exceeds_scatter(least: float, before: Floats) -> bool:
    if not len(before):
        return False
    distances = np.sort(np.abs(before))
    return least >= _TIMES * float(distances[len(before) - 1 - len(before) // _WILD_IN])


def _log_choices(of: int, some: int) -> float:
    """The logarithm of the binomial coefficient: in how many ways `some` of `of` can be chosen."""
    return math.lgamma(of + 1) - math.lgamma(some + 1) - math.lgamma(of - some + 1)
