"""The values of `assay why` about work: instructions by function, and why they differ.

    loop = Work(iterations=1000, costs={(node, place): 4000}, calls={})
    loop.total      4000 instructions, in 1000 iterations

All amounts are whole numbers, so that parts add up to their sum exactly.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from assay.stacks import Stacks

# A stored answer of `assay why` is refused where it has a word that reports have no sentence for.
HowMoved = Annotated[
    str,
    Meta(pattern=r"\A(inlined|called|split off|renamed|passed|put into its caller)\Z"),
]
# Simulated misses: of the first cache, of the last cache, or mispredicted branches.
What = Annotated[str, Meta(pattern=r"\A(first|last|branches)\Z")]


class Place(NamedTuple):
    """A line of a source file; line 0: it is not known."""

    file: str = ""
    line: int = 0


class Node(NamedTuple):
    """A function, or a copy of one that the compiler inlined into another function.

    `path` begins with the function that has the symbol; each further name is inlined into the
    one before it. `own` says that it is code of the user, not of a library.
    """

    path: tuple[str, ...]
    own: bool

    @property
    def function(self) -> str:
        return self.path[-1]


class Call(NamedTuple):
    """A call: the caller, its line, and the callee."""

    caller: Node
    place: Place
    callee: Node


class Calls(NamedTuple):
    """How often one call was made, and the instructions of the callee with all that it called."""

    times: int
    inclusive: int


class Work(msgspec.Struct, frozen=True):
    """How many instructions all iterations together execute, by function and line, and the calls.

    For a simulated cache or branch predictor, these are misses instead of instructions.
    """

    iterations: int
    costs: Mapping[tuple[Node, Place], int]
    calls: Mapping[Call, Calls]

    @property
    def total(self) -> int:
        return sum(self.costs.values())


class Profile(msgspec.Struct, frozen=True):
    """What callgrind counted of one benchmark on one side: in its loop, and before and after it.

    `simulated` has the loop's events in a simulated processor: misses of its "first" and of its
    "last" cache, and mispredicted "branches".
    """

    loop: Work
    setup: Work
    simulated: Mapping[str, Work] = msgspec.field(default_factory=dict)
    # How often each instruction of the loop was executed: by executable or library, by address.
    executed: Mapping[str, Mapping[int, int]] = msgspec.field(default_factory=dict)

    def functions(self) -> set[str]:
        """Names of the user's functions that the benchmark executed."""
        both = (*self.loop.costs, *self.setup.costs)
        return {node.function for node, _ in both if node.own}


class ChangeReason(msgspec.Struct, frozen=True, array_like=True):
    """One reason for a function's own change; `amount` is in instructions of all iterations. `kind`
    says which reason:

    itself       its own instructions
    library      a library function that it calls: `callee`
    calls        it calls another function more or less often: `callee`
    inlined      as `calls`, where the compiler put the other function into it
    moved        another function, `callee`, does this work now, or did it before
    outside      it is called more or less often from code that is not measured
    """

    kind: str
    callee: str
    place: Place
    amount: Fraction
    counts: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))  # how many calls on either side


class OwnChange(msgspec.Struct, frozen=True):
    """How much of a difference in instructions a function caused itself.

    That is by its own code, by the libraries it calls, and by calling another function more often;
    being called more often itself is a change of its caller."""

    function: str
    amount: Fraction
    base: int  # instructions of the function in the base, with library functions that it calls
    candidate: int
    reasons: tuple[ChangeReason, ...]  # whose amounts add up to `amount`
    own: bool = True

    @property
    def differs_in_libraries_only(self) -> bool:
        """Whether the function's own instructions and calls are the same, and only libraries do
        more or less for it."""
        return all(why.kind == "library" and why.counts[0] == why.counts[1] for why in self.reasons)


class MovedCost(msgspec.Struct, frozen=True, array_like=True):
    """Instructions that only moved into another function, which explains no difference."""

    function: str
    into: str  # the function that does the work now; empty: not known
    amount: int
    how: HowMoved


class Attribution(msgspec.Struct, frozen=True):
    """How much of a difference in instructions (or misses) each function explains; `changes` add up
    to it."""

    iterations: int
    base: int
    candidate: int
    changes: tuple[OwnChange, ...]  # by function, those that explain most first
    moved: tuple[MovedCost, ...] = ()

    @property
    def whole(self) -> int:
        return self.candidate - self.base

    @property
    def unexplained(self) -> Fraction:
        return self.whole - sum((one.amount for one in self.changes), Fraction(0))


class Simulated(msgspec.Struct, frozen=True, array_like=True):
    """The difference in one kind of miss of a simulated processor (see `Profile`), by function."""

    what: What
    worth: int  # how many instructions one miss counts as
    found: Attribution
    told: tuple[OwnChange, ...]  # the changes that an answer names


class ExactWork(msgspec.Struct, frozen=True):
    """What counting instructions found for one benchmark, in its loop and outside it.

    `told` and `told_setup` are the changes to name.
    """

    loop: Attribution
    setup: Attribution
    told: tuple[OwnChange, ...] = ()
    told_setup: tuple[OwnChange, ...] = ()
    notes: tuple[str, ...] = ()
    simulated: tuple[Simulated, ...] = ()
    # The callgrind profiles of both sides, which later stages of `assay why` need.
    sides: tuple[Profile, Profile] | None = None
    stacks: Stacks | None = None  # of the loop's instructions (`judge/attribution/call_tree.py`)

    def without_names(self) -> "ExactWork":
        """This result with totals only, so that all of the difference is unexplained."""
        loop = replace(self.loop, changes=(), moved=())
        setup = replace(self.setup, changes=(), moved=())
        return replace(self, loop=loop, setup=setup, told=(), told_setup=(), simulated=())

    def named(self) -> tuple[str, ...]:
        """The functions named for the loop: those that explain most first, where an event of the
        simulated processor counts as many instructions as it is worth."""
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
