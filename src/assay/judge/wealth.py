"""An interval for the centre of a series that holds at every look.

Test "the centre is theta" by a game: before each round stake a share lambda of
one's wealth on the sign of what comes, d_i - theta. Stakes and scale are fixed
by earlier rounds only, and the pay-off g is odd and bounded by 1, so when the
centre is theta the game is fair: wealth is a martingale, and it ever reaches
1/a with probability at most a (Ville), however often one looks. The interval
is every theta at which nobody got that rich. Capital is spread over several
lambdas at the start: no tuning, and no peeking either.

Larger theta makes every pay-off of an upward bet smaller, so wealth falls
steadily with theta and each end of the interval is one bisection.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

STAKES = np.array([0.03, 0.06, 0.12, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99])
SHARES = np.full(len(STAKES), 1.0 / len(STAKES))
CLIP = 2.5  # pay-offs saturate at this many scales: robust against heavy tails
_HALVINGS = 26


class Game(NamedTuple):
    """Rounds of many series, one series a row: pay-off((x - slope * theta) / scale)."""

    x: Floats
    slope: Floats
    scale: Floats


def game(d: Floats) -> Game:
    """Set up the bets on each row of `d`."""
    return Game(d, np.ones_like(d), past_scale(d))


def past_scale(d: Floats) -> Floats:
    """Before each round, the spread of the rounds before it (MAD, as a sigma)."""
    scale = np.full_like(d, 1e-300)  # first rounds: the sign alone counts
    for i in range(2, d.shape[1]):
        past = d[:, :i]
        centre = np.median(past, axis=1, keepdims=True)
        scale[:, i] = 1.4826 * np.median(np.abs(past - centre), axis=1)
    return np.maximum(scale, 1e-300)


def payoff(game: Game, theta: Floats) -> Floats:
    """Each round's pay-off for an upward bet against `theta`, in [-1, 1]."""
    z = (game.x - game.slope * theta[:, None]) / (CLIP * game.scale)
    return np.asarray(np.clip(z, -1.0, 1.0))


def log_wealth(game: Game, theta: Floats, side: int = 1) -> Floats:
    """The highest log wealth an upward (+1) or downward (-1) bettor ever had."""
    g = side * payoff(game, theta)
    gain = np.log1p(g[:, :, None] * STAKES)
    total = np.logaddexp.reduce(np.cumsum(gain, axis=1) + np.log(SHARES), axis=2)
    return np.asarray(total.max(axis=1))


def bound(game: Game, log_target: Floats, side: int) -> Floats:
    """Lower (+1) or upper (-1) end of the interval; infinite when too few rounds."""
    reach = game.x / game.slope
    width = 1.01 * CLIP * np.max(game.scale / game.slope, axis=1)
    near = reach.min(axis=1) if side > 0 else reach.max(axis=1)
    outside = near - side * (width + 1e-12)
    inside = reach.max(axis=1) if side > 0 else reach.min(axis=1)
    unbounded = log_wealth(game, outside, side) < log_target
    for _ in range(_HALVINGS):
        middle = 0.5 * (outside + inside)
        rich = log_wealth(game, middle, side) >= log_target
        outside = np.where(rich, middle, outside)
        inside = np.where(rich, inside, middle)
    return np.where(unbounded, -side * np.inf, outside)


def centre(game: Game) -> Floats:
    """Where the pay-offs of all rounds cancel: the estimate the interval is around."""
    reach = game.x / game.slope
    low, high = reach.min(axis=1), reach.max(axis=1)
    for _ in range(_HALVINGS + 10):
        middle = 0.5 * (low + high)
        above = payoff(game, middle).sum(axis=1) > 0
        low = np.where(above, middle, low)
        high = np.where(above, high, middle)
    return np.asarray(0.5 * (low + high))
