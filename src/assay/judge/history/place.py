"""Where the runs of two segments part: places(residuals, split, noise).

Seen from the middle between both levels, so that neither level's runs are cut off more than the
other's: seen from the old level, all runs of a large step are equally far, the last of the
old ones that lay a little high among them.
"""

import math

import numpy as np

from assay.judge.history.fit import level_of
from assay.judge.history.noise import Floats, Noise, scores_of
from assay.judge.history.windows import Counts

NEAR = 3.5  # evidence that a place may lack against the likeliest, and be the place


def places(
    residuals: Floats, split: int, noise: Noise, until: int | None = None
) -> tuple[int, int, int]:
    """The likeliest first run of the new level, the earliest and the latest; none after `until`."""
    old, new = level_of(residuals[:split], noise), level_of(residuals[split:], noise)
    scores = scores_of(residuals - 0.5 * (old + new), noise)
    shown = _likelihoods(scores, noise.echo)[:until] / noise.variance
    near: Counts = 1 + np.flatnonzero(shown >= shown.max() - NEAR)
    return 1 + int(np.argmax(shown)), int(near[0]), int(near[-1])


def _likelihoods(scores: Floats, echo: float) -> Floats:
    """Of a step at the second run, the third, ...: logarithms, for scores with a variance of 1.

    Each run counts by what it has beyond the echo of the run before. There a step shows whole at
    its first run and less later, and so does the level at the first run of all.
    """
    own = 1.0 - echo
    first = math.sqrt(1.0 - echo * echo)
    alone = np.concatenate((first * scores[:1], scores[1:] - echo * scores[:-1]))
    later = own * own * np.arange(len(scores) - 2.0, -1.0, -1.0)
    rest = np.cumsum(alone[::-1])[::-1]
    level = first * alone[0] + own * rest[1]
    whole = first * first + own * own * (len(scores) - 1)
    step = echo * alone[1:] + own * rest[1:]
    shared = own + later
    gain = step - shared * level / whole
    return np.asarray(0.5 * gain**2 / (1.0 + later - shared**2 / whole) / (first * first))


def ratio_of(logarithm: float) -> float:
    """Infinite where zero lay before."""
    return math.exp(logarithm) if logarithm < 700.0 else math.inf
