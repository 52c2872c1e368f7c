"""What the centre does not see: launches that are slow now and then.

A round is far out when its log ratio is many times as far from the margin's edge as
such rounds usually are. Where the two sides differ by no more than the margin, a
round is as likely to be far out below that edge as above it, so a bet on "above" at each
such round is fair at best: at most a share a of bettors ever have 1 / a (Ville), however
often one looks. How much is staked depends on how
far out the round is, never on its side.

    bets = Tails(d, theta=math.log1p(margin), side=1.0)
    bets.wealth, bets.calm, bets.share_and_distance(row)

Figures and the choice of the constants: docs/decisions/0028-same-means-the-same.md.
"""

from itertools import pairwise

import numpy as np

from assay.judge.effects import Floats
from assay.judge.paired.predictable import IN_FAMILY, SIGMA, TINY, row_medians, updates, weights

_BETTING_FRACTIONS = np.array([0.995, 0.8, 0.4])
_MIXTURE_WEIGHTS = np.array([0.93, 0.05, 0.02])
_OUT, _FAR_OUT = 2.5, 5.0  # usual distances from which a round counts, and counts in full
_YOUNG = 2.0  # a distance known from n rounds is taken for n + 2 over n times as large

# A benchmark is called the same only where more than one far-out round in five
# would have shown: this bettor wins while there are fewer.
SHARE = 0.2
_CALM_FRACTIONS = np.array([1.2, 0.6])
_CALM_WEIGHTS = np.array([0.7, 0.3])
_CALM = 100.0  # at this, 1.8 % of series with just such a share are taken for calm (decision 28)


class Tails:
    """Bets on one side of many series, one a row. Computed once, when made."""

    def __init__(self, d: Floats, theta: float, side: float, power: Floats | None = None) -> None:
        """`theta` is the margin's edge on that side; `side` +1: bets on slower, -1: on faster.

        `power` is what each round's winnings are taken to, where rounds echo (`powers`).
        """
        power = np.ones_like(d) if power is None else power
        self._beyond = side * (d - theta)
        self._far = _far_out(self._beyond)
        self.path = _path(_once(self._far), _BETTING_FRACTIONS, _MIXTURE_WEIGHTS, power)
        self.wealth = self.path.max(axis=1)
        calm = _path(SHARE - np.sign(self._far), _CALM_FRACTIONS, _CALM_WEIGHTS, power)
        self.calm = np.asarray(calm.max(axis=1) >= _CALM)
        self.rounds_to_calm = np.where(self.calm, 0.0, _rounds_to_calm(calm[:, -1]))

    def share_and_distance(self, row: int) -> tuple[float, float]:
        """In what share of rounds more of this side were far out, and how far from the centre."""
        above, below = self._far[row] > 0.0, self._far[row] < 0.0
        middle = float(np.median(self._beyond[row]))
        distance = float(np.median(self._beyond[row][above])) - middle if above.any() else 0.0
        return max(0.0, float(above.mean() - below.mean())), distance


def powers(d: Floats, echo: Floats | float | None = None) -> Floats:
    """What the winnings of each round are taken to: less than 1 where rounds echo."""
    return weights(d, echo, IN_FAMILY)


def calm_at_least() -> int:
    """Rounds without a far-out one that it takes until a series is called calm."""
    n, have = 0, np.ones_like(_CALM_FRACTIONS)
    while have @ _CALM_WEIGHTS < _CALM:
        n, have = n + 1, have * (1.0 + SHARE * _CALM_FRACTIONS)
    return n


def _rounds_to_calm(now: Floats) -> Floats:
    missing = np.log(_CALM / np.maximum(now, 1e-9))
    return np.asarray(
        np.ceil(np.maximum(missing, 0.0) / np.log1p(SHARE * _CALM_FRACTIONS[0])) + 1.0
    )


def _far_out(beyond: Floats) -> Floats:
    """For each round how much to stake on it, and whether that wins: in [-1, 1]."""
    rounds = beyond.shape[1]
    far = np.zeros_like(beyond)
    points = [*updates(rounds), rounds]
    for now, then in pairwise(points):
        usual = SIGMA * row_medians(np.abs(beyond[:, :now])) * (1.0 + _YOUNG / now)
        z = beyond[:, now:then] / np.maximum(usual, TINY)
        reach = np.clip((np.abs(z) - _OUT) / (_FAR_OUT - _OUT), 0.0, 1.0)
        far[:, now:then] = np.sign(z) * reach
    return far


def _once(far: Floats) -> Floats:
    """Nothing is staked on a round after one that was far out, on whatever side: launches that
    are slow one after the other are one event, not so many tosses of a coin."""
    staked = far.copy()
    staked[:, 1:][far[:, :-1] != 0.0] = 0.0
    return staked


def _path(gain: Floats, fractions: Floats, mixture: Floats, power: Floats) -> Floats:
    won = (1.0 + gain[:, :, None] * fractions) ** power[:, :, None]
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.cumprod(won, axis=1) @ mixture)
