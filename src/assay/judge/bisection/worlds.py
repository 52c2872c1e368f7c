"""What is not known and is the same for all commits, and what a commit's rounds say in each case.

    round = GOOD's layout + (slow: the slowdown) + the commit's layout + the round's noise

Every build has a layout effect of its own, which more rounds do not average away; GOOD's is in all
rounds. A world is one kind of noise, one scale of layout effects, one size of the slowdown and one
layout of GOOD. Worlds are a grid with a prior, and all of it is weighed together: nothing is
estimated by itself and then taken for known (decision 34). Another slowdown that was undone has
about the same size; a commit that is slow by both has the sum.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from assay.judge.bisection.noise import (
    INFORMATION,
    LOG_PRIOR,
    NOISES,
    grid_of_centres,
    log_likelihood,
)
from assay.judge.bisection.settings import SearchSettings

Floats = NDArray[np.float64]
Numbers = NDArray[np.intp]
Singles = NDArray[np.float32]
Rounds = tuple[float, ...]

# Chosen on simulated histories (decision 34).
_SMALL, _LARGE = 1.3 * 1.15 ** np.arange(12), np.geomspace(7.9, 100.0, 10)
_SIZES = np.append(_SMALL, _LARGE)  # sizes of the slowdown, as factors of `SearchSettings.smallest`
# By how much the undone slowdown is larger than the searched one: (probability, relative size).
_OTHERS = ((0.25, -0.25), (0.5, 0.0), (0.25, 0.25))
# Scales of layout effects, as factors of `SearchSettings.layout`.
_LAYOUTS = np.geomspace(0.25, 2.0, 4)
_DOUBTED = 0.6  # prior: standard deviation of the logarithm of the scale of layout effects
_GOODS = np.array([-1.8, -0.9, 0.0, 0.9, 1.8])  # GOOD's layout effect, in units of its scale
_STATES = 4  # states of a commit: not slow, slow, slow by the episode only, slow by both
_STATE_SHARES = ((0.45,), (0.45,), (0.07,), (0.03,))  # prior of the states, if nothing is known
_LEAST = np.float32(1e-30)  # the least density, which keeps logarithms finite
_SHAPE = (len(NOISES), len(_LAYOUTS), len(_SIZES), len(_GOODS))


@lru_cache(maxsize=8)
def log_prior(settings: SearchSettings) -> Singles:
    """The logarithm of the prior of each world."""
    layout = -0.5 * np.square(np.log(_LAYOUTS) / _DOUBTED)
    total = np.zeros(())
    for part in (LOG_PRIOR, layout, np.zeros(len(_SIZES)), -0.5 * np.square(_GOODS)):
        total = total[..., None] + (part - np.logaddexp.reduce(part))
    return np.asarray(total.ravel(), dtype=np.float32)


@lru_cache(maxsize=256)
def log_likelihood_table(rounds: Rounds, settings: SearchSettings) -> Singles:
    """State x world: log likelihood of a commit's rounds (log ratios), less a common constant."""
    logs = log_likelihood(rounds, settings.smallest)
    most = logs.max(axis=1, keepdims=True)
    density = np.exp(logs - most).astype(np.float32)
    found = np.log(density @ _centre_densities(settings) + _LEAST) + (most - most.max())
    noises, layouts, sizes, goods = _SHAPE
    by_state = np.moveaxis(found.reshape(noises, layouts, _STATES, sizes, goods), 2, 0)
    return np.asarray(by_state.reshape(_STATES, -1), dtype=np.float32)


def mass_if_any_is_slow(rounds: Sequence[Rounds], settings: SearchSettings) -> Singles:
    """Probability of each world if every measured commit might be slow, whatever it contains."""
    logs = log_prior(settings) + sum(_likelihood_over_states(each, settings) for each in rounds)
    mass = np.exp(logs - logs.max())
    return np.asarray(mass / mass.sum(), dtype=np.float32)


@lru_cache(maxsize=256)
def _likelihood_over_states(rounds: Rounds, settings: SearchSettings) -> Singles:
    logs = log_likelihood_table(rounds, settings) + np.log(
        np.array(_STATE_SHARES, dtype=np.float32)
    )
    return np.asarray(np.logaddexp.reduce(logs, axis=0))


def draw_worlds(mass: Singles, count: int) -> tuple[Numbers, Floats]:
    """Up to `count` worlds by systematic sampling, in even steps of the cumulative `mass`.

    With each comes the logarithm of how much too often it was drawn, as an importance weight: added
    to the log prior, it makes sums over the drawn worlds estimate those over all.
    """
    below = np.cumsum(mass, dtype=np.float64)
    steps = (np.arange(count) + 0.5) / count * below[-1]
    kept, times = np.unique(np.searchsorted(below, steps), return_counts=True)
    return kept, np.log(times * below[-1] / (count * mass[kept].astype(np.float64)))


def slowdown_sizes(worlds: Numbers, settings: SearchSettings) -> Floats:
    """The size of the slowdown in each of these worlds, as a log ratio."""
    return np.asarray(settings.smallest * _SIZES[np.unravel_index(worlds, _SHAPE)[2]])


def layout_scales(worlds: Numbers, settings: SearchSettings) -> Floats:
    """The scale of layout effects in each of these worlds, as a log ratio."""
    return np.asarray(settings.layout * _LAYOUTS[np.unravel_index(worlds, _SHAPE)[1]])


def information_of_a_round(worlds: Numbers) -> Floats:
    """Fisher's information that one more round adds, in each of these worlds."""
    return np.asarray(INFORMATION[np.unravel_index(worlds, _SHAPE)[0]])


@lru_cache(maxsize=8)
def _centre_densities(settings: SearchSettings) -> Singles:
    """Grid of centres x (layout, state, size, GOOD's layout): how likely a commit's centre is at
    each point."""
    grid = grid_of_centres(settings.smallest)
    columns = [
        _normal_mixture(grid, _slowness_in_state(state, size), -good * layout, layout)
        for layout in settings.layout * _LAYOUTS
        for state in range(_STATES)
        for size in settings.smallest * _SIZES
        for good in _GOODS
    ]
    return np.array(columns, dtype=np.float32).T


def _slowness_in_state(state: int, size: float) -> list[tuple[float, float]]:
    """Pairs of a probability and of how much slower than GOOD a commit in this state then is."""
    if state < 2:
        return [(1.0, state * size)]
    own = size if state == 3 else 0.0
    return [(share, own + size * (1.0 + other)) for share, other in _OTHERS]


def _normal_mixture(
    grid: Floats, parts: list[tuple[float, float]], shift: float, layout: float
) -> Floats:
    """A mixture of normal distributions on the grid. Each is as wide as layout effects are large,
    or as the grid is coarse: far out, points of the grid lie far apart."""
    step, total = np.gradient(grid), np.zeros(len(grid))
    for share, slower in parts:
        centre = min(slower + shift, grid[-1])
        width = max(layout, 0.6 * float(np.interp(centre, grid, step)))
        density = np.exp(-0.5 * np.square((grid - centre) / width)) * step
        total += share * density / density.sum()
    return total
