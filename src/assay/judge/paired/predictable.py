"""What earlier rounds say of the next: its spread, and its echo of the last (autocorrelation).

Everything here is known before the round it is for: a bet may use it freely.
Both are brought up to date after each of the first rounds, then after every
eighth part more, so that a look at n rounds costs n, not n squared.

A weak echo is taken off each round, as far as the round before makes it likely.
Under a strong one rounds are no longer separate: bets that win together are one
bet. So their winnings are taken to the power 1 / t, t being how many rounds it
takes until little is left of an echo. That is the geometric mean of the wealth of
t bettors, each of whom bets on every t-th round only, and no more than their
arithmetic mean, which is a fair bettor's (docs/decisions/0027-rounds-that-echo.md).
"""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.judge.effects import Floats

TINY = 1e-300  # stands for "no spread known": only the sign of a round counts then
SIGMA = 1.4826  # a median absolute deviation, as a standard deviation
FIRST_ECHO = 4  # rounds before which a correlation means nothing
_MOST_ECHO = 0.9
_TAIL = 2.0  # sigmas beyond which a round is pulled in before it is correlated
_STRONG = 0.35  # an echo beyond which rounds are no longer judged one by one
_FADED = 0.02  # what is left of an echo when rounds count as separate again
LONGEST = 0.95
_SUSPICION = 5.0  # a single benchmark's echo may be this much larger, over its rounds


class Threshold(NamedTuple):
    """When a correlation is taken for an echo, in standard errors of it."""

    gate: float  # below: taken for none
    more: float  # added to a larger one, which may well be larger still


SINGLE = Threshold(gate=1.0, more=0.5)  # correct autocorrelation above 1 standard error
IN_FAMILY = Threshold(gate=2.5, more=0.5)  # the estimate of all together has what the host does


class Estimates(NamedTuple):
    """For each round of each series (one a row): all from the rounds before it."""

    scale: Floats
    echo: Floats  # predicted share of the last round's deviation in this one; 0 if strong
    last: Floats  # the last round, its tail pulled in
    weight: Floats  # the power to which what a round wins is taken: 1 unless echoes are strong
    surely: Floats  # the same, of echoes that stand out: without what is only suspected


def predictable_estimates(d: Floats, shared: Floats | float | None = None) -> Estimates:
    """Spread and echo before every round of `d`.

    `shared` is the echo that was known of the whole suite, for all rounds or for each;
    None, or NaN for a round: it could not be estimated.
    """
    together = each_round(shared, d.shape)
    rounds = d.shape[1]
    scale, last = np.full_like(d, TINY), np.zeros_like(d)
    last[:, 1:] = d[:, :-1]
    echoes = _Echoes(*(np.zeros_like(d) for _ in _Echoes._fields))
    points = [*updates(rounds), rounds]
    for now, then in pairwise(points):
        centre, sigma = _centre_and_sigma(d[:, :now])
        scale[:, now:then] = sigma
        reach = _TAIL * sigma
        last[:, now:then] = np.clip(last[:, now:then], centre - reach, centre + reach)
        if now >= FIRST_ECHO:
            own = correlation(_scaled(d[:, :now], centre, sigma))
            echoes.hear(own, slice(now, then), np.isnan(together[:, now:then]))
    return _past(scale, last, echoes, np.nan_to_num(together))


class _Echoes(NamedTuple):
    """What is taken for an echo before each round, from what surely is one to what may be."""

    sure: Floats  # of those that pass the threshold in a family
    seen: Floats  # of those that pass the threshold of this series
    feared: Floats  # the largest there may be, of a benchmark by itself

    def hear(self, own: Floats, rounds: slice, alone: NDArray[np.bool_]) -> None:
        """Fill in what the correlations `own` of all rounds before say of these `rounds`."""
        before, error = rounds.start, 1.0 / math.sqrt(rounds.start)
        sure = gated(own, error, IN_FAMILY)[:, None]
        seen = gated(own, error, SINGLE)[:, None]
        feared = np.clip(own + _SUSPICION / before, 0.0, _MOST_ECHO)[:, None]
        self.sure[:, rounds] = sure
        self.seen[:, rounds] = np.where(alone, seen, sure)
        self.feared[:, rounds] = np.where(alone, np.maximum(seen, feared), sure)


def _past(scale: Floats, last: Floats, echoes: _Echoes, told: Floats) -> Estimates:
    sure, seen, feared = (np.maximum(one, told) for one in echoes)
    weak = np.where(feared > _STRONG, np.where(sure > _STRONG, 0.0, seen), feared)
    return Estimates(scale, weak, last, _weight(feared), _weight(sure))


def weights(d: Floats, shared: Floats | float | None, threshold: Threshold) -> Floats:
    """The power for what each round wins, where an echo counts only beyond `threshold`."""
    echo = np.zeros_like(d)
    points = [*updates(d.shape[1]), d.shape[1]]
    for now, then in pairwise(points):
        if now >= FIRST_ECHO:
            own = correlations(d[:, :now])
            echo[:, now:then] = gated(own, 1.0 / math.sqrt(now), threshold)[:, None]
    return _weight(np.maximum(echo, np.nan_to_num(each_round(shared, d.shape))))


def each_round(shared: Floats | float | None, shape: tuple[int, ...]) -> Floats:
    """What was known of a suite's echo before each round; NaN: nothing."""
    known = np.nan if shared is None else shared
    return np.broadcast_to(np.asarray(known, dtype=np.float64), shape)


def _weight(echo: Floats) -> Floats:
    """One over the number of rounds until little is left of a strong echo."""
    strong = np.clip(echo, _STRONG, LONGEST)
    faded = np.log(strong) / math.log(_FADED)
    return np.where(echo > _STRONG, np.minimum(1.0, faded), 1.0)


def updates(rounds: int) -> list[int]:
    points, now = [], 2
    while now < rounds:
        points.append(now)
        now += max(1, now // 8)
    return points


def _centre_and_sigma(past: Floats) -> tuple[Floats, Floats]:
    centre = row_medians(past)
    return centre, np.maximum(SIGMA * row_medians(np.abs(past - centre)), TINY)


def row_medians(values: Floats) -> Floats:
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


def gated(correlation: Floats, error: float, threshold: Threshold) -> Floats:
    """Only positive echoes, and only those that stand out: the rest would cost power."""
    echo = np.minimum(correlation + threshold.more * error, _MOST_ECHO)
    return np.where(correlation > threshold.gate * error, echo, 0.0)


def correlations(d: Floats) -> Floats:
    """Lag-1 correlation of each row of rounds, their tails pulled in."""
    return correlation(standard(d))


def standard(d: Floats) -> Floats:
    """Each row in units of its own scatter around its own centre, its tails pulled in."""
    return _scaled(d, *_centre_and_sigma(d))


def _scaled(d: Floats, centre: Floats, sigma: Floats) -> Floats:
    return np.asarray(np.clip((d - centre) / sigma, -_TAIL, _TAIL))
