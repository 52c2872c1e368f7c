"""Counts taken with everything held still: two launches of one program should give the same one.

So one launch a side is enough to call two builds the same. A change takes more, for a program may
draw random numbers, or look at the clock: if it gives one of two counts by the toss of a coin, n
launches of one side all show the one and n of the other all the other with a chance of
2 * (1/4)^n, and no other program does so more often (decision 39).
"""

import math
from statistics import median

import msgspec

from assay.judge.family.exact_counts import relative_change
from assay.judging import MethodName
from assay.model import Pair

# Share of the margin by which launches of a side may differ and still repeat (decision 39).
WOBBLE = 0.1
METHODS = (MethodName.REPEATED, MethodName.NEARLY_REPEATED, MethodName.REPEATED_SO_FAR)


class RepeatedCount(msgspec.Struct, frozen=True):
    """The median counts of both sides, and the range of the change between any two launches."""

    base: float
    candidate: float
    change: float
    low: float
    high: float
    method: MethodName


def repeated_count(pair: Pair, margin: float) -> RepeatedCount | None:
    """The change of a count that every launch of its side repeats (decision 39).

    None: launches of a side differ by more than `WOBBLE`, or the changes cross the margin's edge.
    """
    base, candidate = (_values(side.launches) for side in (pair.base, pair.candidate))
    if not (base and candidate and _is_steady(base, margin) and _is_steady(candidate, margin)):
        return None
    low = relative_change(max(base), min(candidate))
    high = relative_change(min(base), max(candidate))
    if low <= margin < high or low < -margin <= high:
        return None
    middle = median(base), median(candidate)
    is_equal = len({*base}) == len({*candidate}) == 1
    method = MethodName.REPEATED if is_equal else MethodName.NEARLY_REPEATED
    return RepeatedCount(*middle, relative_change(*middle), low, high, method)


def launches_wanted(level: float) -> int:
    """Launches a side after which two different counts are a change at `level`, which is above 0:
    the least n of 2 or more with 2 * (1/4)^n at most `level`."""
    return max(2, math.ceil((1.0 + math.log2(1.0 / level)) / 2.0))


def _values(launches: tuple[tuple[float, ...], ...]) -> list[float]:
    return [value for launch in launches for value in launch]


def _is_steady(values: list[float], margin: float) -> bool:
    return max(values) - min(values) <= WOBBLE * margin * min(values)
