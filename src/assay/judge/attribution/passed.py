"""Time that one function lost and another gained: it moved, and made nothing slower.

moved, others = without_moved_time(told)
"""

from collections.abc import Sequence

from assay.timed import OTHERS, WAITING, MovedTime, TimeChange

# A loss and a gain cancel if they differ by at most this share of the smaller (decision 38).
_ALIKE = 0.25


def without_moved_time(
    told: Sequence[TimeChange],
) -> tuple[tuple[MovedTime, ...], list[TimeChange]]:
    """The pairs of changes that cancel each other, and the changes that are left.

    Amounts are femtoseconds of an iteration. The rule: decision 38, "Moved".
    """
    left = sorted(told, key=lambda one: -abs(one.change.amount))
    moved: list[MovedTime] = []
    for loser in [one for one in left if one.change.amount < 0 and _is_function(one)]:
        gainers = [one for one in left if one.change.amount > 0 and _is_function(one)]
        alike = [one for one in gainers if _cancel_each_other(loser, one)]
        if alike:
            closest = min(alike, key=lambda one: abs(one.change.amount + loser.change.amount))
            amount = min(closest.change.amount, -loser.change.amount)
            moved.append(MovedTime(loser.function, closest.function, amount))
            left = [one for one in left if one not in (loser, closest)]
    return tuple(moved), left


def _is_function(one: TimeChange) -> bool:
    return one.function not in (OTHERS, WAITING)


def _cancel_each_other(loser: TimeChange, gainer: TimeChange) -> bool:
    rest = loser.change.amount + gainer.change.amount
    smaller = min(-loser.change.amount, gainer.change.amount)
    return abs(rest) <= _ALIKE * smaller
