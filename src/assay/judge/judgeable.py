"""Which numbers a judgement can be made of, and what is said about the others.

    >>> reason_unjudgeable([(-16.0,)])
    <RemarkName.NEGATIVE: 'negative'>

Whatever a program or a file gives, judging it never raises: a pair of which no ratio can be made
becomes a row without a verdict. The limits lie far beyond any measurement, and near enough that
ratios, their products and their logarithms stay within what a float can hold.
"""

import math
from collections.abc import Iterable, Sequence

from assay.model import Pair
from assay.remarks import RemarkName

# Samples beyond these, in whatever unit, are not judged. Round numbers; the reason is above.
SMALLEST, LARGEST = 1e-60, 1e60

Launches = Iterable[Sequence[float]]


def reason_unjudgeable(launches: Launches) -> RemarkName | None:
    """Why no ratio can be made of these launches; None: one can.

    Zeros are reported only where nothing else is wrong, because a count of zero can be compared.
    """
    least = math.inf
    for launch in launches:
        if not launch:
            return RemarkName.NOTHING_MEASURED
        if not sum(map(abs, launch)) <= LARGEST:  # a NaN fails this too
            return RemarkName.NO_NUMBERS
        least = min(least, *launch)
    if least == math.inf:
        return RemarkName.NOTHING_MEASURED
    if least < 0.0:
        return RemarkName.NEGATIVE
    if least == 0.0:
        return RemarkName.ZEROS
    return RemarkName.NO_NUMBERS if least < SMALLEST else None


def reason_unjudgeable_pair(pair: Pair) -> RemarkName | None:
    """Why a pair cannot be judged by its ratio; None: it can."""
    return reason_unjudgeable((*pair.base.launches, *pair.candidate.launches))


def is_judgeable(pair: Pair) -> bool:
    """Whether a ratio can be made of every launch of both sides."""
    return reason_unjudgeable_pair(pair) is None
