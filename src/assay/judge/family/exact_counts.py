"""Metrics that are counted, not sampled: compared exactly where they do not vary.

Where each launch counts two reallocations per call, no interval is needed. A few launches do not
show that a count does not vary, so until there are enough it is the same "so far" (decision 6).

An average per iteration contains a little of the warm-up, spread over however many
iterations ran (2.0000001): differences below one thousandth, or below one byte, are not a
change. Whole numbers are compared to the last digit.
"""

import math

import msgspec

from assay.model import Pair

NEGLIGIBLE = 1e-3  # of the count, or of 1: a smaller difference is no change (decision 6)
NEGLIGIBLE_BYTES = 1.0  # bytes: a smaller difference in a metric of bytes is no change


class ExactCount(msgspec.Struct, frozen=True):
    """A count that is the same in every launch of its side, and its relative change."""

    base: float
    candidate: float
    change: float
    is_from_none: bool  # the base counts zero, and the candidate does not


def constant_counts(pair: Pair) -> ExactCount | None:
    """The two counts where neither side varies; None where one does. Decision 6."""
    negligible = NEGLIGIBLE_BYTES if pair.base.unit == "B" else NEGLIGIBLE
    base = _common_value(pair.base.launches, negligible)
    candidate = _common_value(pair.candidate.launches, negligible)
    if base is None or candidate is None:
        return None
    change = (
        0.0 if _differ_negligibly(base, candidate, negligible) else relative_change(base, candidate)
    )
    return ExactCount(base, candidate, change, base == 0.0 and change != 0.0)


def launches_wanted(level: float) -> int:
    """Launches a side after which a count that did not vary is taken for exact at `level`.

    If the sides are equal, all n launches of one show one value and all n of the other another
    with a chance of 2^(1 - n) at most (decision 6). `level` lies above 0.
    """
    return 1 + math.ceil(math.log2(1.0 / level))


def launches_of_smaller_side(pair: Pair) -> int:
    """How many launches the base or the candidate had, whichever had fewer.

    Repetitions in one process do not count: what a process draws at random once, they all show.
    """
    return min(len(pair.base.launches), len(pair.candidate.launches))


def relative_change(base: float, candidate: float) -> float:
    """(candidate - base) / |base|; from zero, where that has no value, +2 or -2.

    That is compare.py's convention: the difference over the mean of the two (decision 6).
    """
    if base == candidate:
        return 0.0
    if base == 0.0:
        return math.copysign(2.0, candidate)
    return (candidate - base) / abs(base)


def _differ_negligibly(one: float, other: float, negligible: float) -> bool:
    if one.is_integer() and other.is_integer():
        return one == other
    return abs(one - other) <= max(negligible, NEGLIGIBLE * max(abs(one), abs(other)))


def _common_value(launches: tuple[tuple[float, ...], ...], negligible: float) -> float | None:
    values = [value for launch in launches for value in launch]
    low, high = min(values), max(values)
    if low == high:
        return float(low)
    if not _differ_negligibly(float(low), float(high), negligible):
        return None
    return float(sorted(values)[len(values) // 2])
