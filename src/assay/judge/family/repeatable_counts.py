"""Counts taken with everything held still: two launches of one program should give the same one.

So one launch a side is enough to call two builds the same. A change takes more, for a program may
draw numbers, or look at the clock: if one build gives one of two counts by the toss of a coin,
n launches of one side all show the first of them and n of the other all the second with chance
2 * (1/4)^n, and no other program does so more often.
"""

import math
from statistics import median
from typing import NamedTuple

from assay.judge.family.exact_counts import relative_change
from assay.model import Pair

WOBBLE = 0.1  # of the margin: launches of a side may differ by so much and still repeat
EXACT = "exact: every launch counts the same"
NEARLY = "counted: the launches of a side differ by less than a tenth of the margin"
SO_FAR = "so far: a change is told when a few more launches repeat it"
METHODS = (EXACT, NEARLY, SO_FAR)
VARIES = "not exact: its count differs from launch to launch, and is judged by how much"


class Repeated(NamedTuple):
    """The counts of both sides, and the change between any two of their launches."""

    base: float
    candidate: float
    change: float
    low: float
    high: float
    method: str


def repeated(pair: Pair, margin: float) -> Repeated | None:
    """None: the launches of a side differ, or the sides do so by neither much nor little."""
    base, candidate = (_values(side.launches) for side in (pair.base, pair.candidate))
    if not (base and candidate and _still(base, margin) and _still(candidate, margin)):
        return None
    low = relative_change(max(base), min(candidate))
    high = relative_change(min(base), max(candidate))
    if low <= margin < high or low < -margin <= high:
        return None
    middle = median(base), median(candidate)
    method = EXACT if len({*base}) == len({*candidate}) == 1 else NEARLY
    return Repeated(*middle, relative_change(*middle), low, high, method)


def launches_wanted(level: float) -> int:
    """Launches a side after which two different counts are a change, at `level`."""
    return max(2, math.ceil((1.0 + math.log2(1.0 / level)) / 2.0))


def _values(launches: tuple[tuple[float, ...], ...]) -> list[float]:
    return [value for launch in launches for value in launch]


def _still(values: list[float], margin: float) -> bool:
    return max(values) - min(values) <= WOBBLE * margin * min(values)
