"""At which run the new level begins: likely_first_runs(residuals, split, noise).

Scores are taken from the middle between both levels, so that runs of both are cut alike. Taken
from the old level, all runs of a large step would be equally far, and one of the last old runs that
lay a little high would count as new.
"""

import math

import numpy as np

from assay.judge.history.fit import level_of
from assay.judge.history.noise import Floats, RunNoise, scores_of
from assay.judge.history.windows import Counts

# Difference of log likelihoods: runs so close to the largest one may be the first of the new level,
# too. Tuned: the range then holds the true run in 88 to 99.9 % of simulated steps (decision 33).
NEAR = 3.5


def likely_first_runs(
    residuals: Floats, split: int, noise: RunNoise, until: int | None = None
) -> tuple[int, int, int]:
    """The likeliest first run of the new level, the earliest and the latest; none after `until`.

    `residuals` are logarithms of the runs before and after a change, `split` is where the new level
    was thought to begin; all are indices of `residuals`. The range from earliest to latest holds
    the true one in 88 to 99.9 % of cases (decision 33).
    """
    old, new = level_of(residuals[:split], noise), level_of(residuals[split:], noise)
    scores = scores_of(residuals - 0.5 * (old + new), noise)
    shown = _likelihoods(scores, noise.autocorrelation)[:until] / noise.variance
    near: Counts = 1 + np.flatnonzero(shown >= shown.max() - NEAR)
    return 1 + int(np.argmax(shown)), int(near[0]), int(near[-1])


def _likelihoods(scores: Floats, autocorrelation: float) -> Floats:
    """Log likelihoods of a step at the second run, the third, ..., for scores of variance 1.

    By generalised least squares for AR(1) scores: a step shows in full at its first run and less
    later, and the level in full at the first run of all.
    """
    own = 1.0 - autocorrelation
    first = math.sqrt(1.0 - autocorrelation * autocorrelation)
    alone = np.concatenate((first * scores[:1], scores[1:] - autocorrelation * scores[:-1]))
    later = own * own * np.arange(len(scores) - 2.0, -1.0, -1.0)
    rest = np.cumsum(alone[::-1])[::-1]
    level = first * alone[0] + own * rest[1]
    whole = first * first + own * own * (len(scores) - 1)
    step = autocorrelation * alone[1:] + own * rest[1:]
    shared = own + later
    gain = step - shared * level / whole
    return np.asarray(0.5 * gain**2 / (1.0 + later - shared**2 / whole) / (first * first))


def ratio_of(logarithm: float) -> float:
    """The exponential of a difference of logarithms; infinite where the level before was 0."""
    return math.exp(logarithm) if logarithm < 700.0 else math.inf
