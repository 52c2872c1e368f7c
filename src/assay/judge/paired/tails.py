"""Launches that are slow now and then, which the centre does not show.

A round is far out when its log ratio is many times as far from the margin's edge as rounds usually
are. Where the two sides differ by no more than the margin, a round is as likely far out below that
edge as above it, or likelier. So a bet on "above" at each such round is fair at best: it ever
reaches a wealth of 1 / a with probability at most a (Ville), however often one looks. How much is
staked depends on how far out the round is, never on its side.

    bets = Tails(d, theta=math.log1p(margin), side=1.0)
    bets.wealth, bets.calm, bets.share_and_distance(row)

Figures and the choice of the constants: docs/decisions/0028-same-means-the-same.md.
"""

from itertools import pairwise

import numpy as np

from assay.judge.effects import Floats
from assay.judge.paired.predictable import (
    IN_FAMILY,
    SIGMA,
    TINY,
    rounds_of_updates,
    row_medians,
    winnings_exponents,
)

# Shares of wealth that are staked on a round which is far out, and how wealth is spread over them.
# Tuned on simulated series; decision 28 has figures of others, which nothing was tuned on.
_BETTING_FRACTIONS = np.array([0.995, 0.8, 0.4])
_MIXTURE_WEIGHTS = np.array([0.93, 0.05, 0.02])
# A round counts from 2.5 usual distances off the margin's edge on, and in full from 5 on. Neither
# was tuned; either doubled, one verdict of 342 was no longer found (decision 50).
_OUT, _FAR_OUT = 2.5, 5.0
# A usual distance known from n rounds is taken for (n + 2) / n times as large. Not tuned; with 4
# one verdict of 342 was no longer found (decision 50).
_YOUNG = 2.0

# A benchmark is called the same only once more than one far-out round in five would have shown.
# That is so when a second bettor, who stakes on fewer of them, is rich enough (`_CALM`).
SHARE = 0.2
# Shares of its wealth that the bettor on "less than `SHARE` of rounds are far out" stakes. A round
# that is not far out pays 0.2 of the stake. `same` then takes 23 such rounds (decision 28).
_CALM_FRACTIONS = np.array([1.2, 0.6])
_CALM_WEIGHTS = np.array([0.7, 0.3])
# A series is called calm once the bettor on "less than `SHARE` of rounds are far out" has this
# wealth. Of series with just `SHARE` of far-out rounds, 1.8 % are called so (decision 28).
_CALM = 100.0


class Tails:
    """Tests many series of rounds, by betting, for launches that are far out to one side.

    `d` are log ratios, series x rounds. `path` is the bettor's wealth after each round, `wealth`
    the most of each series, `calm` whether a series may be called the same, `rounds_to_calm` how
    many rounds are missing until then (decision 28).
    """

    def __init__(self, d: Floats, theta: float, side: float, power: Floats | None = None) -> None:
        """`theta` is the margin's edge on that side, a log ratio; `side` +1 bets on slower, -1 on
        faster. `power` is that of `round_exponents`, for autocorrelated rounds.
        """
        power = np.ones_like(d) if power is None else power
        self._beyond = side * (d - theta)
        self._far = _stakes(self._beyond)
        self.path = _wealth_path(
            _stakes_once_per_event(self._far), _BETTING_FRACTIONS, _MIXTURE_WEIGHTS, power
        )
        self.wealth = self.path.max(axis=1)
        calm = _wealth_path(SHARE - np.sign(self._far), _CALM_FRACTIONS, _CALM_WEIGHTS, power)
        self.calm = np.asarray(calm.max(axis=1) >= _CALM)
        self.rounds_to_calm = np.where(self.calm, 0.0, _rounds_to_calm(calm[:, -1]))

    def share_and_distance(self, row: int) -> tuple[float, float]:
        """What share of rounds were far out on this side, less those on the other side, and how far
        they lay from the centre, as a log ratio."""
        above, below = self._far[row] > 0.0, self._far[row] < 0.0
        middle = float(np.median(self._beyond[row]))
        distance = float(np.median(self._beyond[row][above])) - middle if above.any() else 0.0
        return max(0.0, float(above.mean() - below.mean())), distance


def round_exponents(d: Floats, autocorrelation: Floats | float | None = None) -> Floats:
    """The power to which what each round wins is taken, series x rounds: less than 1 where the
    autocorrelation is strong (decision 27). `autocorrelation` is that known of the suite."""
    return winnings_exponents(d, autocorrelation, IN_FAMILY)


def least_rounds_to_calm() -> int:
    """How many rounds, none of them far out, it takes until a series is called calm."""
    n, have = 0, np.ones_like(_CALM_FRACTIONS)
    while have @ _CALM_WEIGHTS < _CALM:
        n, have = n + 1, have * (1.0 + SHARE * _CALM_FRACTIONS)
    return n


def _rounds_to_calm(now: Floats) -> Floats:
    missing = np.log(_CALM / np.maximum(now, 1e-9))
    return np.asarray(
        np.ceil(np.maximum(missing, 0.0) / np.log1p(SHARE * _CALM_FRACTIONS[0])) + 1.0
    )


def _stakes(beyond: Floats) -> Floats:
    """How much is staked on each round, in [-1, 1]: positive where the bet on this side wins."""
    rounds = beyond.shape[1]
    far = np.zeros_like(beyond)
    points = [*rounds_of_updates(rounds), rounds]
    for now, then in pairwise(points):
        usual = SIGMA * row_medians(np.abs(beyond[:, :now])) * (1.0 + _YOUNG / now)
        z = beyond[:, now:then] / np.maximum(usual, TINY)
        reach = np.clip((np.abs(z) - _OUT) / (_FAR_OUT - _OUT), 0.0, 1.0)
        far[:, now:then] = np.sign(z) * reach
    return far


def _stakes_once_per_event(far: Floats) -> Floats:
    """The stakes, with nothing on a round right after one that was far out on whatever side: slow
    launches in a row are one event, not as many independent ones (decision 46)."""
    staked = far.copy()
    staked[:, 1:][far[:, :-1] != 0.0] = 0.0
    return staked


def _wealth_path(gain: Floats, fractions: Floats, mixture: Floats, power: Floats) -> Floats:
    won = (1.0 + gain[:, :, None] * fractions) ** power[:, :, None]
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.cumprod(won, axis=1) @ mixture)
