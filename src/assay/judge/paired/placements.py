"""How much of an effect depends on where the linker put the code, when that was drawn at random.

    found = placement_spread(ratios, placements)   of one pair: its log ratios, and their placements
    found.sd, found.number                  0.012, 8: of a placement's effect, over 8 of them
    widened_half_width(half_width, found, level)   of an interval over all placements

Each revision was linked several times in random orders, and each round took the next of the pairs
of links. With more rounds the interval of the effect of these pairs becomes as narrow as one likes,
but that of the code does not, for another eight links would have other effects. What a pair adds
scatters by `sd` around the effect of the code, and the mean of K pairs by sd / sqrt(K). This is a
random effect, whose interval is Student's with K - 1 degrees of freedom (Searle, Casella,
McCulloch, "Variance Components", 1992). It is drawn once, however often one looks, and is added to
the interval of the rounds as independent errors add (decision 42).
"""

import math
from collections.abc import Sequence
from functools import lru_cache

import msgspec
import numpy as np

from assay.judge.effects import Floats
from assay.judge.paired.predictable import SIGMA

# Standard deviations at which a round is clipped, for rounds have long tails. The simulation of
# decision 42 was made with it, and holds for it.
_REACH = 2.0
# The rounds' own noise is subtracted 1.5 times. An estimate from few placements scatters, and where
# placement does not matter what is left of the noise would only cost rounds. In simulation an
# interval is then wrong at any of its looks in 5.1 % at most (decision 42).
_DOUBT = 1.5
# Rounds of each placement before the scatter is estimated: with one there is no scatter within a
# placement, from which the rounds' own noise is estimated.
ROUNDS_EACH = 2


class PlacementSpread(msgspec.Struct, frozen=True):
    """How much the effect of a change varies with the random order in which code was linked.

    `sd` is the standard deviation, as a log ratio and without the rounds' noise, over `number`
    pairs of links: one of the base, one of the candidate.
    """

    sd: float
    number: int


def placement_spread(ratios: Floats, placements: Sequence[int]) -> PlacementSpread | None:
    """The scatter of placements, from the log ratios of one pair and the placement of each round.

    None where there is one placement only, or too few rounds of some (decision 42).
    """
    names, place, rounds = np.unique(
        np.asarray(placements), return_inverse=True, return_counts=True
    )
    if len(names) < 2 or rounds.min() < ROUNDS_EACH:
        return None
    middle = np.array([np.median(ratios[place == one]) for one in range(len(names))])
    apart = ratios - middle[place]
    sigma = SIGMA * float(np.median(np.abs(apart)))
    if sigma > 0.0:
        apart = np.clip(apart, -_REACH * sigma, _REACH * sigma)
    centres = middle + np.bincount(place, apart) / rounds
    within = float(((apart - (centres - middle)[place]) ** 2).sum()) / (len(ratios) - len(names))
    noise = within * float(np.mean(1.0 / rounds))
    between = float(np.var(centres, ddof=1))
    return PlacementSpread(math.sqrt(max(0.0, between - _DOUBT * noise)), len(names))


def widened_half_width(half_width: float, found: PlacementSpread, level: float) -> float:
    """The half width (a log ratio) of an interval at `level` that holds over placements too."""
    own = student_quantile(1.0 - level / 2, found.number - 1) * found.sd / math.sqrt(found.number)
    return math.hypot(half_width, own)


@lru_cache(maxsize=256)
def student_quantile(share: float, degrees: int) -> float:
    """The quantile of Student's t for a `share` of at least a half and below 1, by bisection.

    `degrees` of freedom are a whole number, for which the distribution is a finite sum.
    """
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = 0.5 * (low + high)
        is_below = _share_within(middle, degrees) < 2.0 * share - 1.0
        low, high = (middle, high) if is_below else (low, middle)
    return math.tan(low) * math.sqrt(degrees)


def _share_within(angle: float, degrees: int) -> float:
    """P(|t| <= tan(angle) * sqrt(degrees)) for Student's t (Abramowitz and Stegun, 26.7.3-4)."""
    is_odd = degrees % 2
    term, added = math.cos(angle) if is_odd else 1.0, 0.0
    for k in range(is_odd, degrees - 1, 2):
        added += term
        term *= (k + 1) / (k + 2) * math.cos(angle) ** 2
    whole = math.sin(angle) * added
    return (angle + whole) * 2.0 / math.pi if is_odd else whole
