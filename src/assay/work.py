"""What `assay why` hands from room to room: work done by function, and why it differs.

    loop = Work(iterations=1000, costs={(node, place): 4000}, calls={})
    loop.total      4000 instructions, in 1000 iterations

All amounts are whole numbers, so that parts add up to their sum exactly.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Annotated, NamedTuple

from msgspec import Meta

from assay.stacks import Stacks

# Kept answers are read again: a word that nobody has a sentence for is refused at the door.
HowMoved = Annotated[
    str,
    Meta(pattern=r"\A(inlined|called|split off|renamed|passed|put into its caller)\Z"),
]
What = Annotated[str, Meta(pattern=r"\A(first|last|branches)\Z")]


class Place(NamedTuple):
    """A line of source; line 0: not known."""

    file: str = ""
    line: int = 0


class Node(NamedTuple):
    """A function, or a copy of one that the compiler put into another.

    `path` begins with the function that has the symbol; each further name is inlined into the
    one before it. `own`: code that is being measured, rather than of a library below it.
    """

    path: tuple[str, ...]
    own: bool

    @property
    def function(self) -> str:
        return self.path[-1]


class Call(NamedTuple):
    """Who calls whom, from which line."""

    caller: Node
    place: Place
    callee: Node


class Calls(NamedTuple):
    """How often, and what was spent inside, whatever it called included."""

    times: int
    inclusive: int


@dataclass(frozen=True)
class Work:
    """What was done in so many iterations, by function and line."""

    iterations: int
    costs: Mapping[tuple[Node, Place], int]
    calls: Mapping[Call, Calls]

    @property
    def total(self) -> int:
        return sum(self.costs.values())


@dataclass(frozen=True)
class Profile:
    """One side of one benchmark: its loop, and what was done before and after the loop.

    `simulated`: of the loop, what a simulated processor does: "first" and "last" (misses of its
    first and its last cache), "branches" (mispredicted).
    """

    loop: Work
    setup: Work
    simulated: Mapping[str, Work] = field(default_factory=dict)
    # How often each instruction of the loop was executed: by executable or library, by address.
    executed: Mapping[str, Mapping[int, int]] = field(default_factory=dict)

    def functions(self) -> set[str]:
        """Names of the user's functions."""
        both = (*self.loop.costs, *self.setup.costs)
        return {node.function for node, _ in both if node.own}


class Why(NamedTuple):
    """One part of a function's own change; `amount` is of all iterations together.

    itself       its own instructions
    library      a library function that it calls: `callee`
    calls        it calls another function more or less often: `callee`
    inlined      as `calls`, where the compiler put the other function into it
    moved        another function, `callee`, does it now, or did it before
    outside      it is called more or less often by what is not part of the code measured
    """

    kind: str
    callee: str
    place: Place
    amount: Fraction
    counts: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))  # calls on either side


@dataclass(frozen=True)
class OwnChange:
    """What a function changed by itself, not by being called more often: that is its caller's."""

    function: str
    amount: Fraction
    base: int  # its instructions before, with the library functions below it
    candidate: int
    reasons: tuple[Why, ...]  # they add up to `amount`
    own: bool = True

    @property
    def does_the_same(self) -> bool:
        """Its own instructions, and the calls that it makes: only what libraries do differs."""
        return all(why.kind == "library" and why.counts[0] == why.counts[1] for why in self.reasons)


class Moved(NamedTuple):
    """Cost that is in another function now: no reason for a change."""

    function: str
    into: str  # empty: not known
    amount: int
    how: HowMoved


@dataclass(frozen=True)
class Attribution:
    """Where the difference between two amounts of work comes from. `changes` add up to it."""

    iterations: int
    base: int
    candidate: int
    changes: tuple[OwnChange, ...]  # those that explain most first
    moved: tuple[Moved, ...] = ()

    @property
    def whole(self) -> int:
        return self.candidate - self.base

    @property
    def unexplained(self) -> Fraction:
        return self.whole - sum((one.amount for one in self.changes), Fraction(0))


class Simulated(NamedTuple):
    """What a simulated processor does differently: see `Profile`."""

    what: What
    worth: int  # about so many instructions' time each
    found: Attribution
    told: tuple[OwnChange, ...]


@dataclass(frozen=True)
class ExactWork:
    """Of one benchmark: its loop, and what lies outside of it. `told` are the changes to name."""

    loop: Attribution
    setup: Attribution
    told: tuple[OwnChange, ...] = ()
    told_setup: tuple[OwnChange, ...] = ()
    notes: tuple[str, ...] = ()
    simulated: tuple[Simulated, ...] = ()
    sides: tuple[Profile, Profile] | None = None  # what it was found from, for later stages
    stacks: Stacks | None = None  # of the loop: see `judge/attribution/call_tree.py`

    def without_names(self) -> "ExactWork":
        """Only the whole, of which all is then unexplained."""
        loop = replace(self.loop, changes=(), moved=())
        setup = replace(self.setup, changes=(), moved=())
        return replace(self, loop=loop, setup=setup, told=(), told_setup=(), simulated=())

    def named(self) -> tuple[str, ...]:
        """Functions that are told of the loop: those that explain most of its time first."""
        if not any(one.told for one in self.simulated):
            return tuple(one.function for one in self.told)
        weights: dict[str, Fraction] = {}
        whole = self.loop.whole + sum(one.worth * one.found.whole for one in self.simulated)
        for told, worth in [(self.told, 1), *((one.told, one.worth) for one in self.simulated)]:
            for change in told:
                known = weights.get(change.function, Fraction(0))
                weights[change.function] = known + worth * change.amount
        sign = (whole > 0) - (whole < 0)
        return tuple(
            sorted(weights, key=lambda name: -(weights[name] * sign or abs(weights[name])))
        )
