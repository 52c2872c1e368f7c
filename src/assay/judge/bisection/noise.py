"""What the rounds of each commit say of its time: a centre and how uncertain it is.

A round's noise is Student's t, and one in twenty is ten times as wild: since any round may be such
a one, none is evidence of more than some hundreds to one. Scale and tails are the same in the
whole session and are not known: they are integrated over a grid, weighted by all rounds together.
A centre is looked for where it can be at all (`Region`). A wild round, which would say
as much of one place in there as of the other, then says nothing: even a single one is harmless.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_SCALES = np.geomspace(0.0003, 0.3, 20)  # of a round, as a log ratio
_TAILS = (2.5, 5.0, 30.0)  # degrees of freedom: wild, heavy, nearly normal
_NOISES = [(scale, tails) for tails in _TAILS for scale in _SCALES]
_WILD, _WILDER = 0.05, 10.0  # share of the rounds that are so much wilder
_USUAL, _DOUBTED = 0.012, 1.0  # scale, and the spread of its logarithm
_PRIOR = np.array([-0.5 * (math.log(scale / _USUAL) / _DOUBTED) ** 2 for scale, _ in _NOISES])
_REACH, _POINTS = 5.3, 441  # of the grid of centres: to 100 times the smallest slowdown
_LEAST_SHARE = 0.25  # of the variance by moments
_LEAST_PRECISION = 1e-6  # relative to the region's: of rounds that say nothing


class Region(NamedTuple):
    """Where a commit's centre is looked for, as a normal distribution."""

    centre: float
    width: float


class Readings(NamedTuple):
    """Of each measured commit: what its rounds alone say."""

    centre: Floats
    variance: Floats  # of the centre, by its rounds' noise
    of_a_round: float  # variance of one more round


def readings(rounds: Sequence[tuple[float, ...]], smallest: float, region: Region) -> Readings:
    """Centre and variance of each commit, the first of which is BAD; no rounds say nothing."""
    moments = [_moments(each, smallest, region) for each in rounds]
    log_weight = np.sum([of_one.evidence for of_one in moments], axis=0) + _PRIOR
    weight = _shares(log_weight)
    centre, variance = np.array([_site(of_one, weight, region) for of_one in moments]).T
    for i in range(1, len(rounds)):
        others = _shares(log_weight - moments[i].evidence)
        exact = _matching_variance(rounds[i], others, float(centre[i]), smallest, region)
        variance[i] = max(exact, _LEAST_SHARE * variance[i])
    return Readings(centre, variance, _variance_of_a_round(weight))


class _Moments(NamedTuple):
    """Of one commit's centre inside the region, for each noise."""

    evidence: Floats  # log likelihood of the rounds, the centre being at nought or at BAD's
    mean: Floats
    square: Floats


@lru_cache(maxsize=512)
def _moments(rounds: tuple[float, ...], smallest: float, region: Region) -> _Moments:
    grid = centres(smallest)
    table = _log_likelihood(rounds, smallest)
    most = table.max(axis=1, keepdims=True)
    density = np.exp(table - most) * _density(grid, region)
    total = density.sum(axis=1)
    slow = Region(2.0 * region.centre, 0.5 * region.width)
    either = _density(grid, Region(0.0, smallest)) + _density(grid, slow)
    evidence = np.log(np.exp(table - most) @ either + 1e-300) + most[:, 0]
    return _Moments(evidence, density @ grid / total, density @ np.square(grid) / total)


@lru_cache(maxsize=8)
def centres(smallest: float) -> Floats:
    return np.asarray(smallest * np.sinh(np.linspace(-_REACH, _REACH, _POINTS)))


@lru_cache(maxsize=512)
def _log_likelihood(rounds: tuple[float, ...], smallest: float) -> Floats:
    """Noise x centre -> the log likelihood of these rounds; earlier ones are remembered."""
    if len(rounds) > 4:
        half = 1 << ((len(rounds) - 1).bit_length() - 1)
        head, tail = rounds[:half], rounds[half:]
        return _log_likelihood(head, smallest) + _log_likelihood(tail, smallest)
    grid = centres(smallest)
    away = np.square(np.clip(rounds, grid[0], grid[-1])[:, None] - grid)
    return np.array([_log_density(away, scale, tails).sum(axis=0) for scale, tails in _NOISES])


def _log_density(away: Floats, scale: float, tails: float) -> Floats:
    tame = math.log1p(-_WILD) + _log_t(away, scale, tails)
    return np.logaddexp(tame, math.log(_WILD) + _log_t(away, _WILDER * scale, tails))


def _log_t(away: Floats, scale: float, tails: float) -> Floats:
    top = math.lgamma(0.5 * (tails + 1.0)) - math.lgamma(0.5 * tails)
    top -= 0.5 * math.log(tails * math.pi) + math.log(scale)
    return np.asarray(top - 0.5 * (tails + 1.0) * np.log1p(away / (tails * scale * scale)))


def _site(moments: _Moments, weight: Floats, region: Region) -> tuple[float, float]:
    """The normal likelihood that moves the region's centre and width as the rounds do."""
    mean = float(weight @ moments.mean)
    variance = max(float(weight @ moments.square) - mean * mean, (1e-3 * region.width) ** 2)
    prior = 1.0 / region.width**2
    precision = max(1.0 / variance - prior, _LEAST_PRECISION * prior)
    return (mean / variance - region.centre * prior) / precision, 1.0 / precision


def _matching_variance(
    rounds: tuple[float, ...], weight: Floats, centre: float, smallest: float, region: Region
) -> float:
    """So that not slow and slow are no further apart than they are without the normal's help.

    The normal likelihood with the right mean and variance falls off faster than the true one:
    a single round of a quiet host would settle by millions to one what it cannot.
    """
    slow = 2.0 * region.centre
    places = np.searchsorted(centres(smallest), (centre, 0.0, slow)).clip(0, _POINTS - 1)
    table = _log_likelihood(rounds, smallest)[:, places]
    most = table.max()
    here, still, there = np.log(weight @ np.exp(table - most) + 1e-300)
    drop = max(2.0 * here - still - there, _LEAST_PRECISION)
    return float(0.5 * (centre**2 + (slow - centre) ** 2) / drop)


def _variance_of_a_round(weight: Floats) -> float:
    """By Fisher's information: what a round adds once there are several."""
    information = [(n + 1.0) / ((n + 3.0) * s * s) for s, n in _NOISES]
    return float(1.0 / (weight @ np.array(information)))


def _density(grid: Floats, region: Region) -> Floats:
    density = np.exp(-0.5 * np.square((grid - region.centre) / region.width)) * np.gradient(grid)
    return np.asarray(density / density.sum() + 1e-200)


def _shares(log_weights: Floats) -> Floats:
    weights = np.exp(log_weights - log_weights.max(axis=-1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))
