"""Which numbers a judgement can be made of, and what is said about the others.

    >>> obstacle([(-16.0,)])
    'holds negative numbers: a ratio of them cannot be judged'

Whatever a program or a file gives, judging it never raises: a pair of which no ratio can be made
becomes a row without a verdict. The limits lie far beyond any measurement, and near enough that
ratios, their products and their logarithms stay within what a float can hold.
"""

import math
from collections.abc import Iterable, Sequence

from assay.model import Pair

SMALLEST, LARGEST = 1e-60, 1e60  # in whatever unit the numbers have
NOTHING = "nothing was measured"
NO_NUMBERS = "holds values that are no numbers, or are beyond any measurement"
NEGATIVE = "holds negative numbers: a ratio of them cannot be judged"
ZEROS = "holds zeros: a ratio of them cannot be judged"

Launches = Iterable[Sequence[float]]


def obstacle(launches: Launches) -> str:
    """Why no ratio can be made of these launches; empty: one can.

    Zeros are reported only where nothing else is wrong, because a count of zero can be compared.
    """
    least = math.inf
    for launch in launches:
        if not launch:
            return NOTHING
        if not sum(map(abs, launch)) <= LARGEST:  # a NaN fails this too
            return NO_NUMBERS
        least = min(least, *launch)
    if least == math.inf:
        return NOTHING
    if least < 0.0:
        return NEGATIVE
    if least == 0.0:
        return ZEROS
    return NO_NUMBERS if least < SMALLEST else ""


def obstacle_of(pair: Pair) -> str:
    """Why a pair cannot be judged by its ratio; empty: it can."""
    return obstacle((*pair.base.launches, *pair.candidate.launches))


def is_judgeable(pair: Pair) -> bool:
    """Whether a ratio can be made of every launch of both sides."""
    return not obstacle_of(pair)
