"""How one run differs from the next where nothing changed: noise_of(residuals).

The error of a change is the variation between runs. It is estimated from the series itself. The
scale is a robust standard deviation of the runs, and each run counts by its score: its distance
from the level in scales, clipped at a cut. The cut is the one that would show a step of two scales
best among the series' own runs: far out where they are normal, closer where some are wild.

How sure a difference of mean scores is, is given by its rate: for one run, minus the logarithm of
the chance of such a difference by Chernoff's bound. Where scores are skewed (one run in ten falls
into a second mode) a difference to that side has a lower rate (decision 33).
"""

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# These constants were tuned on the seeds that decision 33 names, but for `MAD_TO_SIGMA`, which is 1
# over the normal distribution's quantile at 3/4, and for grids and guards against a scale of 0.
#
# A run farther from the level than the cut counts as if it lay at the cut. In robust standard
# deviations of the runs; each series gets the one of these four cuts that shows a step best.
CUTS = (3.5, 3.0, 2.5, 2.0)
_STEP = 2.0  # size of the step that the cut is chosen for, in robust standard deviations of runs
MAD_TO_SIGMA = 1.4826  # a median absolute deviation as a standard deviation, in normal noise
_SMALLEST_SCALE = 1e-9  # least robust deviation of a run's logarithm, for counts that never vary
_LEAST_VARIANCE = 0.3  # least variance of scores, for series most of whose runs are equal
_STAKES = np.geomspace(0.15, 3.0, 14)  # exponents, per deviation, tried for Chernoff's bound
# Differences of mean scores for which Chernoff's rate is tabulated.
DIFFERENCES = np.linspace(-2.0 * CUTS[0], 2.0 * CUTS[0], 71)
_AUTOCORRELATION_IN_DOUBT = 1.0  # standard errors below which autocorrelation is taken for none
_AUTOCORRELATION_BELIEVED = 2.0  # standard errors from which autocorrelation is taken in full
# Autocorrelation that is estimated too low makes candidates of nothing, so a standard error is
# added where it is small (up to 0.3). From 0.55 on series without a change do well without it.
_NEEDS_MARGIN, _NEEDS_NONE = 0.3, 0.55
_LARGEST_AUTOCORRELATION = 0.95  # the largest autocorrelation that is reckoned with
# Newest runs from which the noise is learnt; older ones are left out, which only saves time.
_ENOUGH = 2_048


class RunNoise(msgspec.Struct, frozen=True):
    """What is known of the variation between runs of one series on one host."""

    scale: float  # standard deviation of a run's logarithm, robust
    cut: float  # distance from the level, in units of `scale`, at which scores are clipped
    variance: float  # variance of the scores, as `scores_of` gives them
    autocorrelation: float  # lag-1 autocorrelation of scores
    runs: int  # number of runs that the noise was learnt from
    rate: tuple[float, ...]  # Chernoff's rate at each of DIFFERENCES


def noise_of(residuals: Floats) -> RunNoise:
    """Learn the noise from residuals (logarithms less their level), in the order of time.

    There must be at least one. Method: decision 33.
    """
    residuals = residuals[-_ENOUGH:]
    scale = _robust_scale(residuals)
    scaled = residuals / scale
    cut = _best_cut(scaled)
    scores = np.clip(scaled, -cut, cut)
    scores -= scores.mean()
    variance = max(float(scores @ scores) / max(len(scores) - 1, 1), _LEAST_VARIANCE)
    rate = _chernoff_rate(scores, variance)
    return RunNoise(
        scale, cut, variance, autocorrelation_of(scores), len(scores), tuple(rate.tolist())
    )


def scores_of(residuals: Floats, noise: RunNoise) -> Floats:
    """The scores of runs: their distances from the level in units of the noise's scale, clipped at
    its cut.
    """
    return np.clip(residuals / noise.scale, -noise.cut, noise.cut)


def _robust_scale(residuals: Floats) -> float:
    middle = MAD_TO_SIGMA * float(np.median(np.abs(residuals)))
    if middle <= _SMALLEST_SCALE:  # most runs are equal
        middle = float(np.abs(residuals).mean())
    return max(middle, _SMALLEST_SCALE)


def _best_cut(scaled: Floats) -> float:
    """The cut with which a step moves the mean score most, in units of a score's deviation."""
    cuts = np.array(CUTS)[:, None]
    here, up, down = (np.clip(scaled + step, -cuts, cuts) for step in (0.0, _STEP, -_STEP))
    variance = np.maximum(here.var(axis=1), _LEAST_VARIANCE)
    shown = (up.mean(axis=1) - down.mean(axis=1)) ** 2 / variance
    return CUTS[int(np.argmax(shown))]


def _chernoff_rate(scores: Floats, variance: float) -> Floats:
    """Chernoff's rate at each of DIFFERENCES, at most that of normal scores of this variance."""
    stakes = np.concatenate((-_STAKES, _STAKES)) / math.sqrt(variance)
    cumulants = np.log(np.exp(stakes[:, None] * scores).mean(axis=1))
    bound = (stakes[:, None] * DIFFERENCES - cumulants[:, None]).max(axis=0)
    return np.asarray(np.clip(bound, 0.0, DIFFERENCES**2 / (2.0 * variance)))


def autocorrelation_of(scores: Floats) -> float:
    """The lag-1 autocorrelation of scores, corrected for bias; 0 where chance may have made it."""
    square, n = float(scores @ scores), len(scores)
    if square <= 0.0 or n < 4:
        return 0.0
    error = 1.0 / math.sqrt(n)
    seen = float(scores[1:] @ scores[:-1]) / square + 1.0 / n
    belief = (seen / error - _AUTOCORRELATION_IN_DOUBT) / (
        _AUTOCORRELATION_BELIEVED - _AUTOCORRELATION_IN_DOUBT
    )
    if belief <= 0.0:
        return 0.0
    margin = error * (_NEEDS_NONE - seen) / (_NEEDS_NONE - _NEEDS_MARGIN)
    margin = min(max(margin, 0.0), error)
    return min(min(belief, 1.0) * (seen * (1.0 + 3.0 / n) + margin), _LARGEST_AUTOCORRELATION)


def inflation(runs: Floats, autocorrelation: float) -> Floats:
    """The factor by which autocorrelation widens the variance of means of so many runs."""
    if autocorrelation <= 0.0:
        return np.ones_like(runs)
    rest = 1.0 - autocorrelation
    return np.asarray(
        (1.0 + autocorrelation) / rest
        - 2.0 * autocorrelation * (1.0 - autocorrelation**runs) / (runs * rest * rest)
    )
