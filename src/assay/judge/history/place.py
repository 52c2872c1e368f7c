"""Where the runs of two segments part: places(residuals, split, noise).

Seen from the middle between both levels, so that neither level's runs are cut off more than the
other's: seen from the old level, all runs of a large step are equally far, the last of the
old ones that lay a little high among them.
"""

import math

import msgspec
import numpy as np

from assay.judge.history.fit import level_of
from assay.judge.history.noise import DIFFERENCES, Floats, Noise, scores_of
from assay.judge.history.windows import Counts, profile

NEAR = 3.5  # evidence that a place may lack against the likeliest, and be the place


def places(residuals: Floats, split: int, noise: Noise) -> tuple[int, int, int]:
    """The likeliest first run of the new level, the earliest and the latest."""
    old, new = level_of(residuals[:split], noise), level_of(residuals[split:], noise)
    scores = scores_of(residuals - 0.5 * (old + new), noise)
    # Where, not whether: squares tell it, and are as sharp as they should be for exact counts.
    squares = tuple((DIFFERENCES**2 / (2.0 * noise.variance)).tolist())
    found, shown = profile(scores, msgspec.structs.replace(noise, rate=squares))
    near: Counts = found[shown >= shown.max() - NEAR]
    return int(found[np.argmax(shown)]), int(near[0]), int(near[-1])


def ratio_of(logarithm: float) -> float:
    """Infinite where zero lay before."""
    return math.exp(logarithm) if logarithm < 700.0 else math.inf
