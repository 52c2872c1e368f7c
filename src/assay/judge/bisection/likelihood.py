"""How well each hypothesis explains the centres of the measured commits, in closed form.

    centre = GOOD's layout + (slow: the slowdown) + the commit's layout + its rounds' noise

Every build has a layout effect of its own, which more rounds do not take away; GOOD's is
in all centres. The slowdown's size is not known: a mixture of normal distributions,
from the smallest that is worth a search upwards. Layout's scale is not known either.
A slowdown that was undone has about the same size, and adds to it.
Everything is integrated, nothing is plugged in, so that probabilities mean what they say.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.judge.bisection.hypotheses import Episodes, Groups, Hypotheses, likely, single
from assay.judge.bisection.noise import Readings
from assay.judge.bisection.settings import Settings

Floats = NDArray[np.float64]

_SIZES = 12  # of the mixture: each 1.3 times the one before, an eighth of itself wide
_FIRST_SIZE, _NEXT_SIZE, _WIDTH = 1.4, 1.3, 0.13
_OTHER = 0.2  # by how much of its size a slowdown that was undone differs from it
_LAYOUTS = np.geomspace(0.25, 4.0, 7)  # of the usual one
_DOUBTED = 0.6  # spread of the layout's logarithm


class Explained(NamedTuple):
    """The posterior of the hypotheses, and of what else is unknown."""

    weights: Floats
    size: float  # mean of the slowdown, given that there is one
    size_error: float
    layout: float  # root mean square of a build's layout effect


def explain_all(
    groups: Groups, episodes: Episodes, seen: Readings, settings: Settings
) -> tuple[Hypotheses, Explained]:
    """First without episodes: that tells about which of all others need be looked at."""
    rough = explain(single(groups), seen, settings)
    power = rough.size**2 / (seen.variance + rough.layout**2)
    found = likely(groups, episodes, power * seen.centre / rough.size, power)
    return found, explain(found, seen, settings)


def explain(found: Hypotheses, seen: Readings, settings: Settings) -> Explained:
    layouts = settings.layout * _LAYOUTS
    fits = [_fit(found, seen, layout, settings) for layout in layouts]
    doubt = -0.5 * np.square(np.log(_LAYOUTS) / _DOUBTED)
    logs = np.array([fit.log for fit in fits]) + doubt[:, None] + found.log_prior
    joint = np.exp(logs - logs.max())
    joint /= joint.sum()
    size, error = _size(fits, joint * found.slow.any(axis=0), settings)
    layout = math.sqrt(float(joint.sum(axis=1) @ np.square(layouts)))
    return Explained(joint.sum(axis=0), size, error, layout)


class _Fit(NamedTuple):
    """Of each hypothesis, for one layout scale."""

    log: Floats  # likelihood
    mean: Floats  # of the slowdown's size
    square: Floats


def _fit(found: Hypotheses, seen: Readings, layout: float, settings: Settings) -> _Fit:
    """The rounds' likelihood is exp(pull @ sizes - half sizes @ hold @ sizes) in the sizes."""
    weight = 1.0 / (seen.variance + layout * layout)
    spread = 1.0 + layout * layout * weight.sum()
    shared = layout * layout / spread  # GOOD's own layout
    pulled = weight * seen.centre
    misfit = float(pulled @ seen.centre) - shared * float(pulled.sum()) ** 2
    constant = 0.5 * (float(np.log(weight).sum()) - math.log(spread) - misfit)
    slow, passing = weight @ found.slow, weight @ found.passing
    return _over_sizes(
        constant,
        _Sizes(
            pull=pulled @ found.slow - shared * pulled.sum() * slow,
            hold=weight @ np.square(found.slow) - shared * slow * slow,
            passing_pull=pulled @ found.passing - shared * pulled.sum() * passing,
            passing_hold=passing - shared * passing * passing,
            cross=weight @ (found.slow * found.passing) - shared * slow * passing,
        ),
        settings,
    )


class _Sizes(NamedTuple):
    """The likelihood in the slowdown's size, and in how much the episode's is larger."""

    pull: Floats
    hold: Floats
    passing_pull: Floats
    passing_hold: Floats
    cross: Floats


def _over_sizes(constant: float, of: _Sizes, settings: Settings) -> _Fit:
    mean = (settings.smallest * _FIRST_SIZE * _NEXT_SIZE ** np.arange(_SIZES))[:, None]
    variance, other = np.square(_WIDTH * mean), np.square(_OTHER * mean)
    share = other / (1.0 + of.passing_hold * other)
    pull = of.pull - of.passing_pull * of.cross * share
    hold = of.hold - of.cross * of.cross * share
    less = 1.0 / (1.0 + hold * variance)
    gain = mean * pull + 0.5 * variance * pull * pull - 0.5 * hold * mean * mean
    logs = gain * less + 0.5 * np.log(less * share / other) + 0.5 * of.passing_pull**2 * share
    at = (mean + pull * variance) * less
    most = logs.max(axis=0)
    shares = np.exp(logs - most)
    total = shares.sum(axis=0)
    square = (shares * (at * at + variance * less)).sum(axis=0) / total
    log = constant + most + np.log(total / _SIZES)
    return _Fit(log, (shares * at).sum(axis=0) / total, square)


def _size(fits: list[_Fit], joint: Floats, settings: Settings) -> tuple[float, float]:
    """Mean and standard deviation of the size, where a measured commit is slow."""
    total = float(joint.sum())
    if total < 1e-12:
        return settings.smallest, settings.smallest
    mean = float(np.sum(joint * [fit.mean for fit in fits])) / total
    square = float(np.sum(joint * [fit.square for fit in fits])) / total
    return mean, math.sqrt(max(square - mean * mean, 0.0))
