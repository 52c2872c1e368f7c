"""Work that one function lost and another, which calls it or is called by it, gained.

    changes, moved = joined(changes, whole, related)

Each of the two alone would be told to do more than twice the whole difference, in opposite ways.
Together they are one change, of the one that goes the way of the whole, and the rest has moved.
"""

from collections.abc import Collection, Sequence
from fractions import Fraction

from assay.work import Moved, OwnChange, Place, Why

_FAR = 2  # times the whole
Related = Collection[frozenset[str]]  # functions of which one calls the other, by name


def joined(
    changes: Sequence[OwnChange], whole: int, related: Related
) -> tuple[list[OwnChange], list[Moved]]:
    """Their sum stays as it is."""
    left, moved = list(changes), list[Moved]()
    while (pair := _pair(left, whole, related)) is not None:
        more, less = pair
        left = [one for one in left if one not in pair]
        left.append(_together(*(pair if whole >= 0 else pair[::-1])))
        amount = round(min(more.amount, -less.amount))
        moved.append(Moved(less.function, more.function, amount, "passed"))
    return left, moved


def _pair(
    changes: Sequence[OwnChange], whole: int, related: Related
) -> tuple[OwnChange, OwnChange] | None:
    """The largest of those that cancel."""
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


def _together(kept: OwnChange, other: OwnChange) -> OwnChange:
    """As a change of the first."""
    nothing = Fraction(0)
    passed = Why("moved", other.function, Place(), other.amount, (nothing, nothing))
    return OwnChange(
        kept.function,
        kept.amount + other.amount,
        kept.base + other.base,
        kept.candidate + other.candidate,
        tuple(sorted((*kept.reasons, passed), key=lambda why: -abs(why.amount))),
        kept.own,
    )
