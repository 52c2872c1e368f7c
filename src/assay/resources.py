"""What `assay why` says of memory and of system calls: counts by who caused them.

    found = Deltas(iterations=1000, base=Amount(1000, 64000), candidate=Amount(2000, 128000), ...)
    found.whole         Amount(1000, 64000), of all iterations together

All amounts are whole numbers, and the changes add up to the whole exactly.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from assay.work import Place


class Amount(NamedTuple):
    """How often, and how many bytes; of system calls only how often."""

    times: int = 0
    size: int = 0

    def plus(self, other: "Amount") -> "Amount":
        return Amount(self.times + other.times, self.size + other.size)

    def minus(self, other: "Amount") -> "Amount":
        return Amount(self.times - other.times, self.size - other.size)


class Spot(NamedTuple):
    """Who caused it: a function of the user, its line, and what it called to do so.

    `function` is empty where no function of the user is known: then it is unexplained.
    """

    what: str  # allocation, free, or the name of a system call
    function: str = ""
    via: str = ""  # the library's function that it called
    place: Place = Place()
    caller: str = ""  # the user's function that called it, where that is known


Counts = Mapping[Spot, Amount]


@dataclass(frozen=True)
class SpotChange:
    """One place of a function that does it more or less often, or not of the same size."""

    spot: Spot
    base: Amount
    candidate: Amount

    @property
    def amount(self) -> Amount:
        return self.candidate.minus(self.base)


@dataclass(frozen=True)
class FunctionChange:
    """All places of one function, those that change most first; they add up to it."""

    function: str
    base: Amount
    candidate: Amount
    places: tuple[SpotChange, ...]
    varies: bool = False  # from run to run of the same side, by as much as between the sides

    @property
    def amount(self) -> Amount:
        return self.candidate.minus(self.base)


@dataclass(frozen=True)
class Deltas:
    """The difference of two sides by function. `told` are those to name, in their order."""

    iterations: int
    base: Amount
    candidate: Amount
    changes: tuple[FunctionChange, ...]
    told: tuple[FunctionChange, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()  # the same amount, under another name now
    has_names: bool = True

    def without_names(self) -> "Deltas":
        """Only the whole."""
        return replace(self, changes=(), told=(), moved=(), has_names=False)

    @property
    def whole(self) -> Amount:
        return self.candidate.minus(self.base)

    @property
    def unexplained(self) -> Amount:
        """What no function of the user is known for."""
        found = [one.amount for one in self.changes if not one.function]
        return found[0] if found else Amount()


class Gauge(NamedTuple):
    """Something counted of a whole loop in several runs: the least and the most of an iteration."""

    name: str
    base: tuple[float, float]
    candidate: tuple[float, float]
    is_changed: bool  # by more than it varies


@dataclass(frozen=True)
class Memory:
    """Of one benchmark's loop."""

    allocations: Deltas
    frees: Deltas
    gauges: tuple[Gauge, ...] = ()
    notes: tuple[str, ...] = ()

    def without_names(self) -> "Memory":
        """Only the whole."""
        allocations, frees = self.allocations.without_names(), self.frees.without_names()
        return replace(self, allocations=allocations, frees=frees)


@dataclass(frozen=True)
class Syscalls:
    """Of one benchmark's loop; `tool` is who counted."""

    calls: Deltas
    tool: str
    gauges: tuple[Gauge, ...] = ()
    notes: tuple[str, ...] = ()
