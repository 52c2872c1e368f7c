"""What earlier rounds say of the next: its spread, and how much of the last echoes in it.

Everything here is known before the round it is for: a bet may use it freely.
Both are brought up to date after each of the first rounds, then after every
eighth part more, so that a look at n rounds costs n, not n squared.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

TINY = 1e-300  # stands for "no spread known": only the sign of a round counts then
SIGMA = 1.4826  # a median absolute deviation, as a standard deviation
_FIRST_ECHO = 4  # rounds before which a correlation means nothing
_MOST_ECHO = 0.8
_COMPANY = 5  # benchmarks that make a suite
_TAIL = 2.0  # sigmas beyond which a round is pulled in before it is correlated


class Guard(NamedTuple):
    """When a correlation is taken for an echo, in standard errors of it."""

    gate: float  # below: taken for none
    more: float  # added to one that is not: it may well be larger


ALONE = Guard(gate=1.0, more=0.5)  # nothing else tells: be quick to suspect
IN_COMPANY = Guard(gate=2.5, more=0.5)  # the suite tells what its host does
_SUITE = Guard(gate=4.0, more=1.0)  # asked every pass: a chance echo must not undo verdicts


class Past(NamedTuple):
    """For each round of each series (one a row): all from the rounds before it."""

    scale: Floats
    echo: Floats  # predicted share of the last round's deviation in this one
    last: Floats  # the last round, its tail pulled in


def look_back(d: Floats, shared: float | None = None) -> Past:
    """Spread and echo before every round of `d`.

    `shared` is what the whole suite echoes; None when there is no suite to tell.
    """
    guard = ALONE if shared is None else IN_COMPANY
    rounds = d.shape[1]
    scale, echo = np.full_like(d, TINY), np.zeros_like(d)
    last = np.zeros_like(d)
    last[:, 1:] = d[:, :-1]
    points = [*_updates(rounds), rounds]
    for now, then in pairwise(points):
        centre, sigma = _centre_and_sigma(d[:, :now])
        scale[:, now:then] = sigma
        reach = _TAIL * sigma
        last[:, now:then] = np.clip(last[:, now:then], centre - reach, centre + reach)
        if now >= _FIRST_ECHO:
            z = _standard(d[:, :now], centre, sigma)
            echo[:, now:then] = _gated(correlation(z), 1.0 / np.sqrt(now), guard)[:, None]
    return Past(scale, np.maximum(echo, shared or 0.0), last)


def _updates(rounds: int) -> list[int]:
    points, now = [], 2
    while now < rounds:
        points.append(now)
        now += max(1, now // 8)
    return points


def _centre_and_sigma(past: Floats) -> tuple[Floats, Floats]:
    centre = _median(past)
    return centre, np.maximum(SIGMA * _median(np.abs(past - centre)), TINY)


def _median(values: Floats) -> Floats:
    """Of each row. `np.median` spends ten times as long on looking at its arguments."""
    n = values.shape[1]
    ordered = np.sort(values, axis=1)
    return np.asarray(0.5 * (ordered[:, (n - 1) // 2, None] + ordered[:, n // 2, None]))


def correlation(z: Floats) -> Floats:
    """Lag-1 correlation of each row, corrected for what centring n values takes off it."""
    n = z.shape[1]
    power = np.maximum(np.sum(z * z, axis=1), TINY)
    raw = np.sum(z[:, 1:] * z[:, :-1], axis=1) / power
    return np.asarray(raw + (1.0 + 3.0 * raw) / n)


def _gated(correlations: Floats, error: float, guard: Guard) -> Floats:
    """Only positive echoes, and only those that stand out: the rest would cost power."""
    echo = np.minimum(correlations + guard.more * error, _MOST_ECHO)
    return np.where(correlations > guard.gate * error, echo, 0.0)


def shared_echo(suite: Sequence[Floats], benchmarks: int) -> float | None:
    """The echo of a whole suite, given the log ratios of its pairs, one pair a row.

    A suite tells in a dozen rounds what one benchmark takes a hundred for. 0 unless
    it stands out, None when there are too few. `benchmarks` is how many are
    independent: two metrics of one are not.
    """
    pairs = sum(len(d) for d in suite)
    enough = [d for d in suite if d.shape[1] >= _FIRST_ECHO]
    rounds = sum(d.size for d in enough)
    if benchmarks < _COMPANY or not rounds:
        return None
    mean = sum(float(_correlations(d).sum()) * d.shape[1] for d in enough) / rounds
    error = 1.0 / math.sqrt(rounds * benchmarks / pairs)
    return float(_gated(np.array([mean]), error, _SUITE)[0])


def _correlations(d: Floats) -> Floats:
    return correlation(_standard(d, *_centre_and_sigma(d)))


def _standard(d: Floats, centre: Floats, sigma: Floats) -> Floats:
    return np.asarray(np.clip((d - centre) / sigma, -_TAIL, _TAIL))
