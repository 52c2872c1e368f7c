"""The level of the newest runs: present_level(logs).

The level of a segment is the mean of all its runs, and where they drift it is no longer the level
at the last run, which is asked for here. Runs scatter around a level that may stand still, climb,
wander, or have stepped a few runs ago; slow changes of the host, which last from run to run, are no
part of it. How much there is of each is not known. So each mixture of them on a grid says what the
level would be (a Gaussian process, the noise's scale integrated out), and is weighted by how well
it explains the runs. Figures: decision 33, "Now".
"""

import math
from functools import lru_cache

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# All priors were chosen on simulated series of seeds from 29,800,000 on (decision 33, "Now", and
# `benchmarks/history_present.py`).
_MOST = 64  # newest runs from which the present level is estimated
# Each pair ends with the prior probability of its kind of level. Sizes are in units of the scatter.
_CLIMBS = ((0.1, 0.1), (0.4, 0.08), (1.2, 0.03))  # size of the climb from run to run, prior
_WANDERS = ((0.05, 0.12), (0.2, 0.1), (0.6, 0.05))  # size of a random walk's steps, prior
_STEPS = (1, 2, 3, 4, 6, 8, 12)  # how many runs ago the level may have stepped
_STEP, _STEP_SHARE = 6.0, 0.2  # size of a step, prior probability of all steps together
# Slow changes of the host: autocorrelation, 1 if half of the scatter is theirs, prior probability.
_WEATHER = ((0.0, 0.0, 0.6), (0.7, 1.0, 0.25), (0.95, 1.0, 0.15))
_ANYWHERE = 1e4  # prior variance of the level, in units of the variance of runs around it
_USUAL, _AS_SURE_AS = 0.01, 1.0  # prior scatter of runs (logarithms), and the runs it counts as
_WILD = 5.0  # robust deviations from the median of its neighbours to which a wild run is moved
_TAIL = 0.025  # probability outside the interval, on each side
_POINTS = 1201  # points of the grid on which quantiles are found


class Present(msgspec.Struct, frozen=True):
    """Natural logarithms: the median of the level at the newest run, and its interval at 95 %."""

    level: float
    low: float
    high: float


def present_level(logs: Floats) -> Present | None:
    """The level at the last of a segment's runs, given as natural logarithms in time order.

    None for fewer than two runs, which tell nothing of the scatter. The interval holds the true
    level in 95 to 99 % of simulated drifts and levels, and in fewer after steps (decision 33).
    """
    newest = _winsorized_runs(np.asarray(logs, dtype=float)[-_MOST:])
    if len(newest) < 2:
        return None
    ways = _level_models(len(newest))
    middle = float(np.median(newest))
    around = newest - middle
    squares = np.einsum("i,wij,j->w", around, ways.inverse, around)
    spread = _AS_SURE_AS * _USUAL**2 + squares
    freedom = _AS_SURE_AS + len(newest) - 1.0
    scores = ways.log_prior - 0.5 * freedom * np.log(spread)
    shares = np.exp(scores - scores.max())
    centres = ways.weights @ around
    scales = np.sqrt(ways.variance * spread / freedom)
    low, level, high = _mixture_quantiles(shares / shares.sum(), centres, scales, freedom)
    return Present(middle + level, middle + low, middle + high)


class _LevelModels(msgspec.Struct, frozen=True):
    """The Gaussian process of each kind of level and noise (a "way"), the noise's scale being 1."""

    inverse: Floats  # way x run x run: inverse of the covariance matrix
    weights: Floats  # way x run: weight of each run in the estimated level at the last run
    variance: Floats  # posterior variance of the level at the last run
    log_prior: Floats


@lru_cache(maxsize=4)
def _level_models(runs: int) -> _LevelModels:
    found = [
        (level, memory, weather, share * among)
        for level, share in _level_covariances(runs)
        for memory, weather, among in _WEATHER
    ]
    inverses, weights, variances, priors = [], [], [], []
    away = np.abs(np.subtract.outer(np.arange(runs), np.arange(runs)))
    for level, memory, weather, share in found:
        noise = np.eye(runs) * (1.0 - weather * 0.5)
        if weather:
            noise += 0.5 * weather * memory**away
        inverse = np.linalg.inv(level + noise)
        own = inverse @ level[-1]
        inverses.append(inverse)
        weights.append(own)
        variances.append(max(float(level[-1, -1] - level[-1] @ own), 1e-9))
        half = 0.5 * np.linalg.slogdet(level + noise)[1]
        priors.append(math.log(share) - float(half))
    return _LevelModels(*(np.array(each) for each in (inverses, weights, variances, priors)))


def _level_covariances(runs: int) -> list[tuple[Floats, float]]:
    """The covariance matrix (run x run) of each kind of level, and its prior probability."""
    at = np.arange(runs) - (runs - 1.0)
    still = np.full((runs, runs), _ANYWHERE)
    climbs = [(still + size**2 * np.outer(at, at), share) for size, share in _CLIMBS]
    wanders = [
        (still + size**2 * np.minimum.outer(at - at[0], at - at[0]), share)
        for size, share in _WANDERS
    ]
    recent = [since for since in _STEPS if since < runs - 1]
    steps = [
        (still + _STEP**2 * np.outer(at > -since, at > -since), _STEP_SHARE / len(_STEPS))
        for since in recent
    ]
    moving = [*climbs, *wanders, *steps]
    return [(still, 1.0 - sum(share for _, share in moving)), *moving]


def _winsorized_runs(logs: Floats) -> Floats:
    """The runs, wild ones moved nearer to the median of the five around them."""
    if len(logs) < 5:
        return logs
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(logs, 2, mode="reflect"), 5)
    middle = np.median(windows, axis=1)
    usual = 1.4826 * float(np.median(np.abs(logs - middle))) + 1e-9
    return np.asarray(np.clip(logs, middle - _WILD * usual, middle + _WILD * usual))


def _mixture_quantiles(
    shares: Floats, centres: Floats, scales: Floats, freedom: float
) -> tuple[float, float, float]:
    """Lower end, median and upper end of a mixture of Student's distributions."""
    reach = 12.0 if freedom > 3.0 else 60.0
    kept = shares > 1e-6
    shares, centres, scales = shares[kept], centres[kept], scales[kept]
    low, high = float((centres - reach * scales).min()), float((centres + reach * scales).max())
    middle = float(shares @ centres)
    width = max(middle - low, high - middle)
    # Fine near the middle, coarse far out.
    grid = middle + width * np.linspace(-1.0, 1.0, _POINTS) ** 3
    z = (grid[:, None] - centres) / scales
    density = ((1.0 + z * z / freedom) ** (-0.5 * (freedom + 1.0)) / scales) @ shares
    mass = np.concatenate(([0.0], np.cumsum(0.5 * (density[1:] + density[:-1]) * np.diff(grid))))
    ends = np.interp(np.array([_TAIL, 0.5, 1.0 - _TAIL]) * mass[-1], mass, grid)
    return float(ends[0]), float(ends[1]), float(ends[2])
