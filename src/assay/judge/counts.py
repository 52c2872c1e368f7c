"""Metrics that are counted, not sampled: compared exactly where they do not vary.

Two reallocations per call are two, in every launch: no interval is needed, and
none of the suite's error budget is spent. An average per iteration may carry a
crumb of warm-up spread over however many iterations ran (2.0000001): crumbs
below one thousandth, or below one byte, are not a change. Whole numbers are
compared to the last digit.
"""

from typing import NamedTuple

from assay.model import Pair

CRUMB = 1e-3  # of the count, or of 1
CRUMB_BYTES = 1.0
FROM_NONE = "from none: shown as +200 %, see base and candidate"
METHOD = "exact: the count does not vary"


class Count(NamedTuple):
    """A count that is the same in every launch of its side."""

    base: float
    candidate: float
    change: float
    note: str


def constant(pair: Pair) -> Count | None:
    """The two counts, when neither side varies; None when one does."""
    crumb = CRUMB_BYTES if pair.base.unit == "B" else CRUMB
    base = _common(pair.base.launches, crumb)
    candidate = _common(pair.candidate.launches, crumb)
    if base is None or candidate is None:
        return None
    change = 0.0 if _same(base, candidate, crumb) else relative_change(base, candidate)
    return Count(base, candidate, change, FROM_NONE if base == 0.0 and change else "")


def relative_change(base: float, candidate: float) -> float:
    """(candidate - base) / |base|; from zero, where that has no value, +2 or -2.

    compare.py's convention: the difference over the mean of the two.
    """
    if base == candidate:
        return 0.0
    if base == 0.0:
        return (candidate - base) / (abs(base + candidate) / 2)
    return (candidate - base) / abs(base)


def _same(one: float, other: float, crumb: float) -> bool:
    if one.is_integer() and other.is_integer():
        return one == other
    return abs(one - other) <= max(crumb, CRUMB * max(abs(one), abs(other)))


def _common(launches: tuple[tuple[float, ...], ...], crumb: float) -> float | None:
    values = [value for launch in launches for value in launch]
    low, high = min(values), max(values)
    if low == high:
        return float(low)
    if not _same(float(low), float(high), crumb):
        return None
    return float(sorted(values)[len(values) // 2])
