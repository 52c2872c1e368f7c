"""How well each hypothesis explains the rounds of the measured commits.

    round = GOOD's layout + (slow: the slowdown) + the commit's layout + the round's noise

Every build has a layout effect of its own, which more rounds do not take away; GOOD's is
in all rounds. What is not known and is the same for all commits is a `World`: how rounds scatter,
how large layout effects are, how large the slowdown is, and GOOD's own layout. Worlds are a
grid, and their prior is weighed with that of the hypotheses: nothing is estimated by itself and
then taken for known. A slowdown that was undone has about the same size, and adds to it.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.judge.bisection.hypotheses import Episodes, Groups, Hypotheses, likely, single
from assay.judge.bisection.noise import (
    LOG_PRIOR,
    NOISES,
    centres,
    information_of_a_round,
    log_likelihood,
)
from assay.judge.bisection.settings import Settings

Floats = NDArray[np.float64]
Numbers = NDArray[np.intp]
Singles = NDArray[np.float32]
Rounds = tuple[float, ...]

_SIZES = 20  # of the slowdown: each 1.15 times the one before
_FIRST_SIZE, _NEXT_SIZE = 1.3, 1.15  # times the smallest that is worth a search
_TILT = 0.0  # log prior that each size is less likely than the one before
_OTHERS = np.array([-0.25, 0.0, 0.25])  # by how much the size of what was undone differs
_OTHER_SHARES = np.array([0.25, 0.5, 0.25])
_LAYOUTS = np.geomspace(0.25, 2.0, 4)  # of the usual one
_DOUBTED = 0.6  # spread of the layout's logarithm
_GOODS = np.array([-1.8, -0.9, 0.0, 0.9, 1.8])  # GOOD's layout, in units of layout's scale
_MOST_WORLDS = 300  # that are looked at together with episodes
_STATES = 4  # of a commit: not slow, slow, slow by the episode only, slow by both
_LOG_STATES = np.log(np.array([[0.45], [0.45], [0.07], [0.03]], dtype=np.float32))  # by itself
_LEAST = 1e-30  # density


class Explained(NamedTuple):
    """The posterior of the hypotheses, and of what else is unknown."""

    weights: Floats
    size: float  # mean of the slowdown, given that there is one
    size_error: float
    layout: float  # root mean square of a build's layout effect
    of_a_round: float  # variance of one more round


def explain_all(
    groups: Groups, episodes: Episodes, rounds: Sequence[Rounds], settings: Settings
) -> tuple[Hypotheses, Explained]:
    """All worlds with all episodes are too many: likely ones are found first, each by itself."""
    tables = np.array([_table(each, settings) for each in rounds])
    prior = _worlds(settings)
    alone = _joint(single(groups), tables, prior).sum(axis=0)
    free = _free(rounds, settings)
    kept, share = _drawn(0.5 * (alone + free))
    tables, prior = tables[:, :, kept], prior[kept] + share
    once, less = _of_states(tables, free[kept] * np.exp(share))
    found = likely(groups, episodes, once + 0.5 * less, less)
    return found, _explained(found, _joint(found, tables, prior), kept, settings)


def _free(rounds: Sequence[Rounds], settings: Settings) -> Floats:
    """Probability of each world where any commit may be slow, whatever it contains.

    Without it, worlds are looked for in which no slowdown was undone: where one was, all noise is
    large in them.
    """
    logs = _worlds(settings) + sum(_in_any_state(each, settings) for each in rounds)
    mass = np.exp(logs - logs.max())
    return np.asarray(mass / mass.sum(dtype=np.float64))


def _of_states(tables: Singles, mass: Floats) -> tuple[Floats, Floats]:
    """Of each commit, in typical worlds: what being slow gives, and how much less both give."""
    still, slow, passing, twice = np.einsum("nsw,w->sn", tables, mass / mass.sum())
    return slow - still, slow + passing - still - twice


def _drawn(mass: Floats) -> tuple[Numbers, Floats]:
    """Worlds at even steps of their probability, and the logarithm of how many each stands for.

    All of them together with all episodes are too many.
    """
    below = np.cumsum(mass)
    steps = (np.arange(_MOST_WORLDS) + 0.5) / _MOST_WORLDS * below[-1]
    kept, count = np.unique(np.searchsorted(below, steps), return_counts=True)
    return kept, np.log(count / (_MOST_WORLDS * mass[kept] / below[-1]))


def _joint(found: Hypotheses, tables: Singles, prior: Floats) -> Floats:
    """Hypothesis x world: probability."""
    still, slow, passing, twice = np.moveaxis(tables, 1, 0)
    by_episode = found.passing.T.astype(np.float32)
    total = found.slow.T.astype(np.float32)
    by_culprit = total - by_episode
    logs = by_culprit @ (slow - still) + (still.sum(axis=0) + prior + 0.0)
    if by_episode.any():
        both = by_culprit * by_episode
        logs += by_episode @ (passing - still) + both @ (twice - slow - passing + still)
    logs += found.log_prior[:, None]
    joint = np.exp(logs - logs.max())
    return np.asarray(joint / joint.sum(dtype=np.float64))


def _explained(found: Hypotheses, joint: Floats, kept: Numbers, settings: Settings) -> Explained:
    noise, layout, size, _ = np.unravel_index(kept, _shape())
    mass = joint.sum(axis=0)
    by_size = joint[found.slow.any(axis=0)].sum(axis=0)
    total = float(by_size.sum())
    sizes = _sizes(settings)[size]
    mean = float(by_size @ sizes) / total if total > 1e-12 else settings.smallest
    square = float(by_size @ np.square(sizes)) / total if total > 1e-12 else 2.0 * mean * mean
    return Explained(
        weights=joint.sum(axis=1),
        size=mean,
        size_error=math.sqrt(max(square - mean * mean, 0.0)),
        layout=math.sqrt(float(mass @ np.square(settings.layout * _LAYOUTS[layout]))),
        of_a_round=1.0 / float(mass @ information_of_a_round()[noise]),
    )


def _shape() -> tuple[int, int, int, int]:
    return len(NOISES), len(_LAYOUTS), _SIZES, len(_GOODS)


def _sizes(settings: Settings) -> Floats:
    return np.asarray(settings.smallest * _FIRST_SIZE * _NEXT_SIZE ** np.arange(_SIZES))


@lru_cache(maxsize=8)
def _worlds(settings: Settings) -> Floats:
    """Log prior of each."""
    layout = -0.5 * np.square(np.log(_LAYOUTS) / _DOUBTED)
    parts = (LOG_PRIOR, layout, -_TILT * np.arange(_SIZES), -0.5 * np.square(_GOODS))
    total = np.zeros(())
    for part in parts:
        total = total[..., None] + (part - np.logaddexp.reduce(part))
    return total.ravel().astype(np.float32)


@lru_cache(maxsize=256)
def _table(rounds: Rounds, settings: Settings) -> Singles:
    """State x world: log likelihood of a commit's rounds, less what all have in common."""
    logs = log_likelihood(rounds, settings.smallest)
    most = logs.max(axis=1, keepdims=True)
    density = np.exp(logs - most).astype(np.float32)
    points = np.log(density @ _places(settings) + np.float32(_LEAST))
    noises, layouts, sizes, goods = _shape()
    found = (
        points.reshape(noises, layouts, _STATES, sizes, goods)
        + (most - most.max())[:, None, None, None]
    )
    return np.moveaxis(found, 2, 0).reshape(_STATES, -1).astype(np.float32)


@lru_cache(maxsize=256)
def _in_any_state(rounds: Rounds, settings: Settings) -> Singles:
    """World: log likelihood of a commit's rounds, whether it is slow or not."""
    logs = _table(rounds, settings) + _LOG_STATES
    return np.asarray(np.logaddexp.reduce(logs, axis=0))


@lru_cache(maxsize=8)
def _places(settings: Settings) -> Singles:
    """Grid of centres x (layout, state, size, GOOD's layout): where the commit's centre is."""
    grid = centres(settings.smallest)
    step = np.gradient(grid)
    size = _sizes(settings)
    columns = [
        sum(
            share * _normal(grid, states * 1.0 - good * layout, layout, step)
            for share, states in _centre(state, one)
        )
        for layout in settings.layout * _LAYOUTS
        for state in range(_STATES)
        for one in size
        for good in _GOODS
    ]
    return np.array(columns).T.astype(np.float32)


def _centre(state: int, size: float) -> list[tuple[float, float]]:
    """Shares, and how much slower a commit is in this state."""
    if state < 2:
        return [(1.0, state * size)]
    others = (state == 3) * size + size * (1.0 + _OTHERS)
    return list(zip(_OTHER_SHARES.tolist(), others.tolist(), strict=True))


def _normal(grid: Floats, centre: float, width: float, step: Floats) -> Floats:
    density = np.exp(-0.5 * np.square((grid - centre) / width)) * step
    return np.asarray(density / density.sum())
