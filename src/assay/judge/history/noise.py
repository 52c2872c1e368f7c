"""How one run differs from the next where nothing changed: noise_of(residuals).

The error of a change is the variation between runs. It is told from the series itself, and
each run counts by its score: its distance from the level in scales, with a cut beyond which a
run is just far away. The cut is the one that would show a step of two scales best among the
series' own runs: far out where they are normal, closer where some are wild.

How sure a difference of means of scores is, is its rate: the logarithm of the smallest chance
that Chernoff's bound gives it, for one run. Skewed scores (a second mode that one run in ten
falls into) make a difference to their own side less sure, and the rate knows.
"""

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

CUTS = (3.5, 3.0, 2.5, 2.0)  # scales beyond which a run is just far away
_STEP = 2.0  # scales: what the cut is chosen for
MAD_TO_SIGMA = 1.4826
_SMALLEST_SCALE = 1e-9  # of a logarithm: counts that never vary have none
_LEAST_VARIANCE = 0.3  # of scores; for series most of whose runs are equal
_STAKES = np.geomspace(0.15, 3.0, 14)  # at which Chernoff's bound is taken, per deviation
DIFFERENCES = np.linspace(-2.0 * CUTS[0], 2.0 * CUTS[0], 71)  # at which the rate is kept
_ECHO_IN_DOUBT = 1.0  # standard errors that an echo must exceed to be believed at all
_ECHO_BELIEVED = 2.0  # ... and to be believed in full, with one more on top
# An echo that seems too small makes candidates of nothing, so a margin is put on top: a standard
# error where the echo is small. Where it is large, still series do well without (found by trial).
_NEEDS_MARGIN, _NEEDS_NONE = 0.3, 0.55
_MOST_ECHO = 0.95
_ENOUGH = 2_048  # runs to learn from


class Noise(msgspec.Struct, frozen=True):
    """What is known of the variation between runs of one series on one host."""

    scale: float  # of a run's logarithm
    cut: float
    variance: float  # of a score
    echo: float  # the share of a run's score that returns in the next
    runs: int  # it was learnt from
    rate: tuple[float, ...]  # at each of DIFFERENCES


def noise_of(residuals: Floats) -> Noise:
    """Learn from runs around their level, in the order of time; the last ones are enough."""
    residuals = residuals[-_ENOUGH:]
    scale = _scale(residuals)
    scaled = residuals / scale
    cut = _best_cut(scaled)
    scores = np.clip(scaled, -cut, cut)
    scores -= scores.mean()
    variance = max(float(scores @ scores) / max(len(scores) - 1, 1), _LEAST_VARIANCE)
    rate = _rate(scores, variance)
    return Noise(scale, cut, variance, echo_of(scores), len(scores), tuple(rate.tolist()))


def scores_of(residuals: Floats, noise: Noise) -> Floats:
    """How far each run lies from the level, in scales, cut."""
    return np.clip(residuals / noise.scale, -noise.cut, noise.cut)


def _scale(residuals: Floats) -> float:
    middle = MAD_TO_SIGMA * float(np.median(np.abs(residuals)))
    if middle <= _SMALLEST_SCALE:  # most runs are equal
        middle = float(np.abs(residuals).mean())
    return max(middle, _SMALLEST_SCALE)


def _best_cut(scaled: Floats) -> float:
    """By how far a step of either sign would move the mean score, over a score's deviation."""
    cuts = np.array(CUTS)[:, None]
    here, up, down = (np.clip(scaled + step, -cuts, cuts) for step in (0.0, _STEP, -_STEP))
    variance = np.maximum(here.var(axis=1), _LEAST_VARIANCE)
    shown = (up.mean(axis=1) - down.mean(axis=1)) ** 2 / variance
    return CUTS[int(np.argmax(shown))]


def _rate(scores: Floats, variance: float) -> Floats:
    """Never above what normal scores of this variance would have."""
    stakes = np.concatenate((-_STAKES, _STAKES)) / math.sqrt(variance)
    cumulants = np.log(np.exp(stakes[:, None] * scores).mean(axis=1))
    bound = (stakes[:, None] * DIFFERENCES - cumulants[:, None]).max(axis=0)
    return np.asarray(np.clip(bound, 0.0, DIFFERENCES**2 / (2.0 * variance)))


def echo_of(scores: Floats) -> float:
    """The lag-1 correlation; a small one, as chance makes it, counts as none."""
    square, n = float(scores @ scores), len(scores)
    if square <= 0.0 or n < 4:
        return 0.0
    error = 1.0 / math.sqrt(n)
    seen = float(scores[1:] @ scores[:-1]) / square + 1.0 / n
    belief = (seen / error - _ECHO_IN_DOUBT) / (_ECHO_BELIEVED - _ECHO_IN_DOUBT)
    if belief <= 0.0:
        return 0.0
    margin = error * (_NEEDS_NONE - seen) / (_NEEDS_NONE - _NEEDS_MARGIN)
    margin = min(max(margin, 0.0), error)
    return min(min(belief, 1.0) * (seen * (1.0 + 3.0 / n) + margin), _MOST_ECHO)


def inflation(runs: Floats, echo: float) -> Floats:
    """By how much an echo widens the mean of so many runs, as a factor of its variance."""
    if echo <= 0.0:
        return np.ones_like(runs)
    rest = 1.0 - echo
    return np.asarray((1.0 + echo) / rest - 2.0 * echo * (1.0 - echo**runs) / (runs * rest * rest))
