"""Which function's own change explains that a simulated processor does worse.

    found = simulated(base, candidate, known)       of two profiles
    found[0].what, found[0].told[0].function        "last", "Grid::column_sum(int)"

Misses and mispredictions are attributed as instructions are, and add up as exactly. But unlike
those, they depend on where things lie in memory, which any other change may shift: so a change
must be large for the benchmark, and large for what is counted, to be told.
"""

from collections.abc import Collection
from fractions import Fraction

from assay.judge.attribution.attribution import attribute
from assay.work import Attribution, OwnChange, Profile, Simulated

# Instructions' worth of each: as KCachegrind estimates cycles.
WORTH = {"first": 10, "last": 100, "branches": 10}
_OF_BENCHMARK = Fraction(1, 100)
_OF_COUNTED = Fraction(1, 20)


def simulated(
    base: Profile, candidate: Profile, known: Collection[str] = ()
) -> tuple[Simulated, ...]:
    """Of whatever both sides simulated."""
    like = (base.loop, candidate.loop)
    found = {
        what: attribute(base.simulated[what], candidate.simulated[what], known, like)
        for what in WORTH
        if what in base.simulated and what in candidate.simulated
    }
    return tuple(
        Simulated(what, WORTH[what], one, _told(one, base, what)) for what, one in found.items()
    )


def _told(found: Attribution, base: Profile, what: str) -> tuple[OwnChange, ...]:
    smallest = max(
        _OF_BENCHMARK * base.loop.total / WORTH[what],
        _OF_COUNTED * found.base,
    )
    return tuple(one for one in found.changes if one.own and abs(one.amount) >= smallest)
