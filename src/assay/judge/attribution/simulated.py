"""Which function's own change explains that a simulated processor does worse.

    found = simulated_changes(base, candidate, known)       of two profiles
    found[0].what, found[0].told[0].function        "last", "Grid::column_sum(int)"

Misses and mispredictions are attributed as instructions are, and add up as exactly. But they also
depend on where code and data lie in memory, which any change may shift. So a change is named only
where it is large both for the benchmark and for the number of such events.
"""

from collections.abc import Collection
from fractions import Fraction

from assay.judge.attribution.attribution import attribute
from assay.work import Attribution, OwnChange, Profile, Simulated

# How many instructions one event counts as: KCachegrind's estimate of cycles (decision 37).
WORTH = {"first": 10, "last": 100, "branches": 10}
# Least change that is named; rebuilds of unchanged programs stay far below (decision 37).
_OF_BENCHMARK = Fraction(1, 100)  # share of all instructions; an event counts as `WORTH` of them
_OF_COUNTED = Fraction(1, 20)  # share of the misses or mispredictions counted in the base


def simulated_changes(
    base: Profile, candidate: Profile, known: Collection[str] = ()
) -> tuple[Simulated, ...]:
    """The attribution of each kind of event that both sides simulated, and which changes to name.

    Amounts are events of all iterations. `known` as for `attribute`. Raises `InputError` where
    the sides did not do equally many iterations.
    """
    like = (base.loop, candidate.loop)
    found = {
        what: attribute(base.simulated[what], candidate.simulated[what], known, like)
        for what in WORTH
        if what in base.simulated and what in candidate.simulated
    }
    return tuple(
        Simulated(what, WORTH[what], one, _changes_to_name(one, base, what))
        for what, one in found.items()
    )


def _changes_to_name(found: Attribution, base: Profile, what: str) -> tuple[OwnChange, ...]:
    smallest = max(
        _OF_BENCHMARK * base.loop.total / WORTH[what],
        _OF_COUNTED * found.base,
    )
    return tuple(one for one in found.changes if one.own and abs(one.amount) >= smallest)
