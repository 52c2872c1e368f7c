"""How rounds scatter: how likely some are around each possible centre, by each kind of noise.

A round's noise is Student's t, and a few rounds are ten times as wild. Since any round may be such
a one, none is evidence of more than some thousands to one. Scale, tails and the share of wild
rounds are the same in the whole session but not known: `NOISES` is a grid of what they may be.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Chosen on simulated histories (decision 34).
_SCALES = np.geomspace(0.001, 1.5, 20)  # scale of a round's log ratio: 0.1 % to 150 %
_USUAL, _DOUBTED = 0.012, 0.7  # prior: the usual scale, and the deviation of its logarithm
_TAILS = ((3.0, 0.01), (30.0, 0.01), (30.0, 0.05))  # degrees of freedom, share of wild rounds
_WILDER = 10.0  # factor of the scale of wild rounds
# Probability density of rounds that say nothing: 3 in 100, evenly over log ratios from -2 to 2.
# Without it, one wild round was believed to be a level of its own at 10,000 to one (decision 34).
_ANYTHING = 0.03 * 0.25
_REACH, _POINTS = 5.3, 301  # the grid of centres reaches to 100 times the smallest slowdown


class RoundNoise(NamedTuple):
    """One kind of noise: scale of a log ratio, degrees of freedom, share of wild rounds."""

    scale: float
    degrees: float
    wild: float


NOISES = tuple(RoundNoise(float(scale), *tails) for tails in _TAILS for scale in _SCALES)
# The log prior of each kind, not normalised.
LOG_PRIOR = np.array([-0.5 * (math.log(one.scale / _USUAL) / _DOUBTED) ** 2 for one in NOISES])

# Fisher's information of a round about its centre, by kind, wild rounds left out.
INFORMATION = np.array([(n + 1.0) / ((n + 3.0) * s * s) for s, n, _ in NOISES])


@lru_cache(maxsize=8)
def grid_of_centres(smallest: float) -> Floats:
    """The grid of centres, as log ratios: fine around 0, coarse far out."""
    return np.asarray(smallest * np.sinh(np.linspace(-_REACH, _REACH, _POINTS)))


@lru_cache(maxsize=512)
def log_likelihood(rounds: tuple[float, ...], smallest: float) -> Floats:
    """Kind of noise x centre: the log likelihood of these rounds, which are log ratios.

    Long tuples are split at a power of two, so that the likelihood of earlier rounds is cached.
    """
    if len(rounds) > 4:
        half = 1 << ((len(rounds) - 1).bit_length() - 1)
        head, tail = rounds[:half], rounds[half:]
        return log_likelihood(head, smallest) + log_likelihood(tail, smallest)
    grid = grid_of_centres(smallest)
    away = np.square(np.clip(rounds, grid[0], grid[-1])[:, None] - grid)
    if not rounds:
        return np.zeros((len(NOISES), len(grid)))
    return np.array([_log_density(away, one).sum(axis=0) for one in NOISES])


def _log_density(away: Floats, noise: RoundNoise) -> Floats:
    tame = math.log1p(-noise.wild) + _log_t(away, noise.scale, noise.degrees)
    wild = math.log(noise.wild) + _log_t(away, _WILDER * noise.scale, noise.degrees)
    return np.logaddexp(np.logaddexp(tame, wild), math.log(_ANYTHING))


def _log_t(away: Floats, scale: float, tails: float) -> Floats:
    top = math.lgamma(0.5 * (tails + 1.0)) - math.lgamma(0.5 * tails)
    top -= 0.5 * math.log(tails * math.pi) + math.log(scale)
    return np.asarray(top - 0.5 * (tails + 1.0) * np.log1p(away / (tails * scale * scale)))
