"""An interval for the centre of a series that holds at every look.

"The centre is theta" is tested by betting: before each round a bettor stakes a fraction
lambda of its wealth on the side of theta on which the round will fall. Stake, scale and
autocorrelation are fixed by earlier rounds only, and the pay-off is odd and bounded by 1, so
when theta is the centre the wealth of a bettor who began with 1 is a martingale: an e-process.
It ever reaches 1/a with probability at most a (Ville), however often one looks. The interval,
a confidence sequence, holds every theta whose e-process stays below 1/a. Wealth is spread over
several fractions lambda at the start, so that none has to be chosen (Waudby-Smith and Ramdas,
"Estimating means of bounded random variables by betting", JRSS B 2024).

A larger theta makes every pay-off of an upward bet smaller, so wealth falls
steadily with theta and each end of the interval is one bisection. Evidence and
the choices of the constants: docs/decisions/0003-interval-valid-at-every-look.md.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from assay.judge.effects import Floats, Rows
from assay.judge.paired.batch_means import BY_ITSELF, IN_SUITE, lasting_rounds
from assay.judge.paired.predictable import at_each_round, predictable_estimates

# Shares of its wealth that a bettor stakes on a round (decision 3).
BETTING_FRACTIONS = np.array([0.06, 0.12, 0.22, 0.35, 0.5, 0.65, 0.8, 0.92, 0.98])
# Small weights for large fractions: large bets pay for large effects only. More weight on them was
# tried, and fewer than 95 % of intervals held where two modes are kept (decision 46).
_PARTS = np.array([4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 2.0, 1.0, 1.0])
MIXTURE_WEIGHTS = _PARTS / _PARTS.sum()
# Pay-offs are clipped at this many sigmas, for real rounds have a sharp peak and long tails; tuned
# on real rounds of 17 benchmarks (decision 3).
CLIP = 0.5
_HALVINGS = 26  # steps of a bisection: an end is known to 2^-26 of the range it is searched in
# As a log ratio, the largest change that a host or a place in memory is known to make to one and
# the same program (docs/field.md: the largest false change of a calm hour; decision 27).
FARTHEST_MODE = math.log1p(0.12)
# Rounds scatter around a mode as they do around a centre: within three sigmas, which in normal
# noise all but 1 in 370 do. Without them two modes were taken for a change (decision 50).
_AROUND_MODE = 3.0


class Increments(NamedTuple):
    """The bets on many series, series x rounds: a round pays (x - slope * theta) / scale, clipped.

    Log ratios, as theta is.
    """

    x: Floats  # log ratios of rounds, less what autocorrelation predicts from the round before
    slope: Floats
    scale: Floats
    d: Floats  # log ratios of rounds as they were measured
    weight: Floats  # power to which a round's gain is raised: below 1 if autocorrelation is strong
    # `weight` for rounds farther from theta than a mode of the host is (`_mode_distance`).
    surely: Floats
    lasting: Floats  # after each round, the wealth won so far is raised to the power 1 / `lasting`


def increments(
    d: Floats, shared_autocorrelation: Floats | float | None = None, *, suspected: bool = False
) -> Increments:
    """Set up the bets on each row of `d`, log ratios of rounds in time order.

    What autocorrelation predicts from the round before is taken off. `shared_autocorrelation`
    is that known of the whole suite, for all rounds or for each; None or NaN: not
    known (decision 27). `suspected`: a memory longer than one round counts also where it is not
    clear, as it does for a benchmark by itself (decision 46).
    """
    past = predictable_estimates(d, shared_autocorrelation)
    return Increments(
        d - past.autocorrelation * past.last,
        1.0 - past.autocorrelation,
        CLIP * past.scale,
        d,
        past.weight,
        past.surely,
        _unaccounted_memory(
            d,
            past.weight * (1.0 - past.autocorrelation) / (1.0 + past.autocorrelation),
            at_each_round(shared_autocorrelation, d.shape),
            suspected=suspected,
        ),
    )


def _unaccounted_memory(
    d: Floats, counted: Floats, shared_autocorrelation: Floats, *, suspected: bool
) -> Floats:
    """How much longer the memory of rounds is than was assumed when they were bet on; 1 or more.

    `counted` is the part of an independent round that each was taken for. What was known of the
    suite's autocorrelation when a round was measured holds for all rounds up to it.
    """
    own, alone = lasting_rounds(d, IN_SUITE), np.isnan(shared_autocorrelation) | suspected
    if alone.any():
        own = np.where(alone, lasting_rounds(d, BY_ITSELF), own)
    told = np.nan_to_num(shared_autocorrelation)
    known = np.maximum(own, (1.0 + told) / (1.0 - told))
    separate = np.cumsum(counted, axis=1) / np.arange(1, d.shape[1] + 1)
    return np.asarray(np.maximum(known * separate, 1.0))


def rows_of(bets: Increments, rows: Rows) -> Increments:
    """The bets on those series alone whose row numbers are in `rows`."""
    return Increments(*(column[rows] for column in bets))


def payoff(bets: Increments, theta: Floats) -> Floats:
    """Each round's pay-off for an upward bet against `theta`, in [-1, 1]: series x rounds.

    `theta` is a log ratio for each series.
    """
    with np.errstate(over="ignore"):
        z = (bets.x - bets.slope * theta[:, None]) / bets.scale
    return np.asarray(np.clip(z, -1.0, 1.0))


def e_process(bets: Increments, theta: Floats, side: float | Floats = 1.0) -> Floats:
    """The wealth after each round (series x rounds) of an upward (+1) or downward (-1) bettor who
    began with 1. If theta is the centre, it ever reaches 1 / a with probability at most a."""
    won = 1.0 + (side * payoff(bets, theta))[:, :, None] * BETTING_FRACTIONS
    if not (bets.weight == 1.0).all():
        won = won ** _winnings_exponent(bets, theta)[:, :, None]
    with np.errstate(over="ignore", under="ignore"):
        wealth = np.cumprod(won, axis=1)
        if not (bets.lasting == 1.0).all():
            # At most what it was: a power must not add wealth where rounds are independent.
            wealth = np.minimum(wealth, wealth ** (1.0 / bets.lasting[:, :, None]))
        return np.asarray(wealth @ MIXTURE_WEIGHTS)


def max_e_value(bets: Increments, theta: Floats, side: float | Floats = 1.0) -> Floats:
    """The most wealth that the bettor of `e_process` ever had, for each series."""
    return np.asarray(e_process(bets, theta, side).max(axis=1))


def _winnings_exponent(bets: Increments, theta: Floats) -> Floats:
    """The power for what each round wins. Autocorrelation that is only suspected counts near theta
    only: it would come from a mode of the host, and none is known to move rounds farther."""
    far = np.abs(bets.x / bets.slope - theta[:, None]) > _mode_distance(bets)
    return np.where(far, bets.surely, bets.weight)


def _mode_distance(bets: Increments) -> Floats:
    """How far from theta each round (a log ratio) may lie because of a mode of the host.

    It decides nothing where `weight` and `surely` are the same: scatter is not added there.
    """
    around = _AROUND_MODE / CLIP * bets.scale
    return np.asarray(FARTHEST_MODE + np.where(bets.weight < bets.surely, around, 0.0))


@lru_cache(maxsize=256)
def minimum_rounds(target: float) -> int:
    """Rounds below which no bettor can have the wealth `target`, even if all fell on one side."""
    n, most = 0, np.ones_like(BETTING_FRACTIONS)
    while most @ MIXTURE_WEIGHTS < target:
        n, most = n + 1, most * (1.0 + BETTING_FRACTIONS)
    return n


def log_growth_per_round(bets: Increments, theta: Floats, side: float) -> Floats:
    """By what factor the best stake's wealth grows a round, as a logarithm; 0 if none grows."""
    won = np.log1p(side * payoff(bets, theta)[:, :, None] * BETTING_FRACTIONS)
    won *= _winnings_exponent(bets, theta)[:, :, None]
    return np.asarray(np.maximum(won.mean(axis=1).max(axis=1) / bets.lasting[:, -1], 0.0))


def interval(bets: Increments, target: float) -> tuple[Floats, Floats]:
    """Both ends, for each series, of the thetas (log ratios) against which neither bettor ever had
    `target`, which is 2 / level: the confidence sequence after all rounds (Waudby-Smith and Ramdas
    2024; decision 3). Infinite where there are too few rounds; where later rounds contradict
    earlier ones the ends may cross."""
    reach = bets.x / bets.slope
    # Beyond these ends every round pays in full and counts in full.
    width = 1.01 * np.max(np.maximum(bets.scale / bets.slope, _mode_distance(bets)), axis=1)
    low, high = reach.min(axis=1), reach.max(axis=1)
    both = Increments(*(np.concatenate((column, column)) for column in bets))
    side = np.repeat([1.0, -1.0], len(low))
    outside, inside = np.concatenate((low - width, high + width)), np.concatenate((high, low))
    ends = _bisect(both, side, target, (outside, inside))
    return ends[: len(low)], ends[len(low) :]


def _bisect(bets: Increments, side: Floats, target: float, ends: tuple[Floats, Floats]) -> Floats:
    outside, inside = ends
    unbounded = max_e_value(bets, outside, side[:, None]) < target
    for _ in range(_HALVINGS):
        middle = 0.5 * (outside + inside)
        rich = max_e_value(bets, middle, side[:, None]) >= target
        outside, inside = np.where(rich, middle, outside), np.where(rich, inside, middle)
    return np.where(unbounded, -side * np.inf, outside)


def huber_location(bets: Increments) -> Floats:
    """The estimate of each series' centre, a log ratio: where the pay-offs of all rounds cancel
    (Huber 1964). Autocorrelation is not taken off for it."""
    bets = bets._replace(x=bets.d, slope=np.ones_like(bets.d))
    reach = bets.x / bets.slope
    low, high = reach.min(axis=1), reach.max(axis=1)
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        above = payoff(bets, middle).sum(axis=1) > 0
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.asarray(0.5 * (low + high))
