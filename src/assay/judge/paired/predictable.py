"""What earlier rounds say of the next: its spread, and its autocorrelation with the last.

Everything here is known before the round it is for, so a bet may use it freely.
Both are updated after each of the first rounds, then whenever there is an eighth more,
so that a look at n rounds costs n, not n squared.

Of a weak autocorrelation, what the round before predicts is taken off each round.
Under a strong one rounds are no longer independent: bets that win together count as one
bet. So what a round wins is taken to the power 1 / t, t being how many rounds it takes
until little is left of the autocorrelation. That is the geometric mean of the wealth of
t bettors, each of whom bets on every t-th round only, and at most their arithmetic
mean, which is a fair bettor's (docs/decisions/0027-rounds-that-echo.md).

There are two estimates of it: what is sure, and an upper bound for a benchmark by itself. Neither
is enough alone (docs/decisions/0050-estimates-of-autocorrelation.md).
"""

import math
from itertools import pairwise
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.judge.effects import Floats

TINY = 1e-300  # stands for "no spread known": only the sign of a round counts then
# A median absolute deviation as a standard deviation, in normal noise: 1 over the quantile at 3/4.
SIGMA = 1.4826
# The next two were not tuned; decision 50 has what halving and doubling each changes.
FIRST_AUTOCORRELATION = 4  # rounds before which autocorrelation is not estimated
_TAIL = 2.0  # sigmas at which a round is clipped before it is correlated
# The largest autocorrelation estimated from one series: up to it 5 % are promised (decision 46).
_LARGEST_AUTOCORRELATION = 0.9
# `_STRONG`, `_FADED` and `_SUSPICION` were tuned on AR(1) noise and on noise of two modes that are
# kept for many rounds (decision 27).
_STRONG = 0.35  # autocorrelation above which rounds are no longer judged one by one
_FADED = 0.02  # what is left of the autocorrelation when rounds count as independent again
# The largest autocorrelation that is reckoned with, of a whole suite too. Not tuned (decision 50).
LONGEST = 0.95
# 5 / n is added to the autocorrelation that n rounds of a single benchmark show, as an upper bound.
_SUSPICION = 5.0


class Threshold(msgspec.Struct, frozen=True):
    """When a correlation is taken for autocorrelation, in its standard errors (decision 3)."""

    gate: float  # below it a correlation is taken for none
    # Added to a larger one, because the true one may be larger. Not tuned (decision 50).
    more: float


# For one benchmark of a suite: the autocorrelation that all share is estimated from all together.
# The gate is decision 3's.
IN_FAMILY = Threshold(gate=2.5, more=0.5)


class Estimates(msgspec.Struct, frozen=True):
    """What earlier rounds let expect of each round of each series (series x rounds)."""

    scale: Floats  # standard deviation of a round, robust
    # Share of the last round's deviation that returns in this round; 0 where it is so large that
    # `weight` takes account of it instead.
    autocorrelation: Floats
    last: Floats  # the log ratio of the round before, clipped
    weight: Floats  # power to which what a round wins is taken: 1 unless autocorrelation is strong
    surely: Floats  # `weight` by the autocorrelation that stands out, not what is suspected


def predictable_estimates(d: Floats, shared: Floats | float | None = None) -> Estimates:
    """Spread and autocorrelation before every round of `d`, log ratios of series x rounds.

    `shared` is the autocorrelation that was known of the whole suite, for all rounds or for each;
    None, or NaN for a round: it could not be estimated. Method: decisions 3 and 27.
    """
    together = at_each_round(shared, d.shape)
    rounds = d.shape[1]
    scale, last = np.full_like(d, TINY), np.zeros_like(d)
    last[:, 1:] = d[:, :-1]
    autocorrelations = _Autocorrelations(*(np.zeros_like(d) for _ in _Autocorrelations._fields))
    points = [*rounds_of_updates(rounds), rounds]
    for now, then in pairwise(points):
        centre, sigma = _centre_and_sigma(d[:, :now])
        scale[:, now:then] = sigma
        reach = _TAIL * sigma
        last[:, now:then] = np.clip(last[:, now:then], centre - reach, centre + reach)
        if now >= FIRST_AUTOCORRELATION:
            own = lag_1_correlation(_clipped_and_scaled(d[:, :now], centre, sigma))
            autocorrelations.update(own, slice(now, then), np.isnan(together[:, now:then]))
    return _estimates_from_rounds(scale, last, autocorrelations, np.nan_to_num(together))


class _Autocorrelations(NamedTuple):
    """The autocorrelation assumed before each round, from what is certain to what is possible."""

    sure: Floats  # autocorrelation that passes the threshold for one of a suite, else 0
    upper_bound: Floats  # an upper bound for a benchmark by itself; in a suite, `sure`

    def update(self, own: Floats, rounds: slice, alone: NDArray[np.bool_]) -> None:
        """Update the values for these `rounds` from the correlations `own` of all rounds before.

        `alone` says for which series and rounds the suite's autocorrelation is not known.
        """
        before = rounds.start
        sure = gated_autocorrelation(own, 1.0 / math.sqrt(before), IN_FAMILY)[:, None]
        upper_bound = np.clip(own + _SUSPICION / before, 0.0, _LARGEST_AUTOCORRELATION)[:, None]
        self.sure[:, rounds] = sure
        self.upper_bound[:, rounds] = np.where(alone, np.maximum(sure, upper_bound), sure)


def _estimates_from_rounds(
    scale: Floats, last: Floats, autocorrelations: _Autocorrelations, told: Floats
) -> Estimates:
    sure, upper_bound = (np.maximum(one, told) for one in autocorrelations)
    weak = np.where(upper_bound > _STRONG, 0.0, upper_bound)
    return Estimates(scale, weak, last, _winnings_exponent(upper_bound), _winnings_exponent(sure))


def winnings_exponents(d: Floats, shared: Floats | float | None, threshold: Threshold) -> Floats:
    """The power to which what each round wins is taken (series x rounds), where autocorrelation
    counts only beyond `threshold` (decision 27)."""
    autocorrelation = np.zeros_like(d)
    points = [*rounds_of_updates(d.shape[1]), d.shape[1]]
    for now, then in pairwise(points):
        if now >= FIRST_AUTOCORRELATION:
            own = lag_1_correlations(d[:, :now])
            autocorrelation[:, now:then] = gated_autocorrelation(
                own, 1.0 / math.sqrt(now), threshold
            )[:, None]
    return _winnings_exponent(
        np.maximum(autocorrelation, np.nan_to_num(at_each_round(shared, d.shape)))
    )


def at_each_round(shared: Floats | float | None, shape: tuple[int, ...]) -> Floats:
    """The suite's autocorrelation as it was known before each round, in `shape`; NaN: not known."""
    known = np.nan if shared is None else shared
    return np.broadcast_to(np.asarray(known, dtype=np.float64), shape)


def _winnings_exponent(autocorrelation: Floats) -> Floats:
    """One over the number of rounds until little is left of a strong autocorrelation; else 1."""
    strong = np.clip(autocorrelation, _STRONG, LONGEST)
    faded = np.log(strong) / math.log(_FADED)
    return np.where(autocorrelation > _STRONG, np.minimum(1.0, faded), 1.0)


def rounds_of_updates(rounds: int) -> list[int]:
    """The numbers of rounds, below `rounds`, after which estimates are updated: 2, 3, ..."""
    points, now = [], 2
    while now < rounds:
        points.append(now)
        now += max(1, now // 8)
    return points


def _centre_and_sigma(past: Floats) -> tuple[Floats, Floats]:
    centre = row_medians(past)
    return centre, np.maximum(SIGMA * row_medians(np.abs(past - centre)), TINY)


def row_medians(values: Floats) -> Floats:
    """The median of each row, as a column. `np.median` takes ten times as long, most of it for
    looking at its arguments."""
    n = values.shape[1]
    ordered = np.sort(values, axis=1)
    return np.asarray(0.5 * (ordered[:, (n - 1) // 2, None] + ordered[:, n // 2, None]))


def lag_1_correlation(z: Floats) -> Floats:
    """Lag-1 autocorrelation of each centred row, corrected for the bias of centring n values."""
    n = z.shape[1]
    power = np.maximum(np.sum(z * z, axis=1), TINY)
    raw = np.sum(z[:, 1:] * z[:, :-1], axis=1) / power
    return np.asarray(raw + (1.0 + 3.0 * raw) / n)


def gated_autocorrelation(correlation: Floats, error: float, threshold: Threshold) -> Floats:
    """The autocorrelation to assume: only what is positive and stands out by `threshold`, given its
    standard error; correcting for the rest would cost power. Else 0."""
    autocorrelation = np.minimum(correlation + threshold.more * error, _LARGEST_AUTOCORRELATION)
    return np.where(correlation > threshold.gate * error, autocorrelation, 0.0)


def lag_1_correlations(d: Floats) -> Floats:
    """Lag-1 autocorrelation of each row of rounds (log ratios), which are clipped for it."""
    return lag_1_correlation(standardized_rows(d))


def standardized_rows(d: Floats) -> Floats:
    """Each row in units of its own scatter around its own centre, clipped at two of them."""
    return _clipped_and_scaled(d, *_centre_and_sigma(d))


def _clipped_and_scaled(d: Floats, centre: Floats, sigma: Floats) -> Floats:
    return np.asarray(np.clip((d - centre) / sigma, -_TAIL, _TAIL))
