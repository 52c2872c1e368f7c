"""Work that one function lost and another, which calls it or is called by it, gained.

    changes, moved = joined_changes(changes, whole, related)

Alone, each of the two would be said to have changed by more than twice the whole difference, in
opposite directions. Together they are one change, named after the function that changed in the
direction of the whole; the rest only moved from one to the other.
"""

from collections.abc import Collection, Sequence
from fractions import Fraction

from assay.work import ChangeReason, MovedCost, OwnChange, Place

_FAR = 2  # two changes are joined if each is more than twice the whole difference (decision 37)
Related = Collection[frozenset[str]]  # functions of which one calls the other, by name


def joined_changes(
    changes: Sequence[OwnChange], whole: int, related: Related
) -> tuple[list[OwnChange], list[MovedCost]]:
    """The changes, with any two that cancel each other joined into one, and what each pair moved.

    The changes' sum stays as it is. `whole` is the whole difference, in the unit of the changes
    (instructions). The rule and why it is needed: decision 37.
    """
    left, moved = list(changes), list[MovedCost]()
    while (pair := _cancelling_pair(left, whole, related)) is not None:
        more, less = pair
        left = [one for one in left if one not in pair]
        left.append(_joined_pair(*(pair if whole >= 0 else pair[::-1])))
        amount = round(min(more.amount, -less.amount))
        moved.append(MovedCost(less.function, more.function, amount, "passed"))
    return left, moved


def _cancelling_pair(
    changes: Sequence[OwnChange], whole: int, related: Related
) -> tuple[OwnChange, OwnChange] | None:
    """The two changes that cancel, the increase first; of several such pairs the largest."""
    large = [one for one in changes if one.own and abs(one.amount) > _FAR * abs(whole)]
    pairs = [
        (more, less)
        for more in large
        for less in large
        if more.amount > 0 > less.amount
        and frozenset((more.function, less.function)) in related
        and not any(why.kind == "moved" for why in (*more.reasons, *less.reasons))
    ]
    return max(pairs, key=lambda pair: min(pair[0].amount, -pair[1].amount), default=None)


def _joined_pair(kept: OwnChange, other: OwnChange) -> OwnChange:
    """The sum of two changes as one change, named after the function of `kept`."""
    nothing = Fraction(0)
    passed = ChangeReason("moved", other.function, Place(), other.amount, (nothing, nothing))
    return OwnChange(
        kept.function,
        kept.amount + other.amount,
        kept.base + other.base,
        kept.candidate + other.candidate,
        tuple(sorted((*kept.reasons, passed), key=lambda why: -abs(why.amount))),
        kept.own,
    )
