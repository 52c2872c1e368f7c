"""What `assay why` says of memory and of system calls: counts by the function that caused them.

    found = Deltas(iterations=1000, base=Amount(1000, 64000), candidate=Amount(2000, 128000), ...)
    found.whole         Amount(1000, 64000), of all iterations together

All amounts are whole numbers, and the changes add up to the whole exactly.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from assay.work import Place


class Amount(NamedTuple):
    """How often something happened, and how many bytes that was (0 for system calls)."""

    times: int = 0
    size: int = 0

    def plus(self, other: "Amount") -> "Amount":
        return Amount(self.times + other.times, self.size + other.size)

    def minus(self, other: "Amount") -> "Amount":
        return Amount(self.times - other.times, self.size - other.size)


class ResourceSpot(NamedTuple):
    """What caused an event: a function of the user, its line, and the library function it called.

    `function` is empty where no function of the user is known: then it is unexplained.
    """

    what: str  # allocation, free, or the name of a system call
    function: str = ""
    via: str = ""  # the library function that `function` called
    place: Place = Place()
    caller: str = ""  # the user's function that called `function`, where that is known


Counts = Mapping[ResourceSpot, Amount]


@dataclass(frozen=True)
class SpotChange:
    """One place of a function that causes more or fewer events, or others of another size."""

    spot: ResourceSpot
    base: Amount
    candidate: Amount

    @property
    def amount(self) -> Amount:
        return self.candidate.minus(self.base)


@dataclass(frozen=True)
class FunctionChange:
    """The change of one function, with its places, those that changed most first; they add up to
    the function's change."""

    function: str
    base: Amount
    candidate: Amount
    places: tuple[SpotChange, ...]
    varies: bool = False  # runs of the same side differ by as much as the sides do

    @property
    def amount(self) -> Amount:
        return self.candidate.minus(self.base)


@dataclass(frozen=True)
class Deltas:
    """The difference of two sides by function. `told` are the functions to name, in order."""

    iterations: int
    base: Amount
    candidate: Amount
    changes: tuple[FunctionChange, ...]
    told: tuple[FunctionChange, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()  # (name in the base, name now), of equal amounts
    has_names: bool = True

    def without_names(self) -> "Deltas":
        """These deltas as totals only, for a program without function names."""
        return replace(self, changes=(), told=(), moved=(), has_names=False)

    @property
    def whole(self) -> Amount:
        return self.candidate.minus(self.base)

    @property
    def unexplained(self) -> Amount:
        """The part of the difference that no known function of the user caused."""
        found = [one.amount for one in self.changes if not one.function]
        return found[0] if found else Amount()


class Gauge(NamedTuple):
    """Something counted in several runs of a loop: least and most per iteration on each side."""

    name: str
    base: tuple[float, float]
    candidate: tuple[float, float]
    is_changed: bool  # whether the sides differ by more than their runs do


def time_gauge(name: str) -> str:
    """The name of the gauge that holds the nanoseconds in a system call."""
    return f"ns in {name}"


@dataclass(frozen=True)
class Memory:
    """Allocations and frees of one benchmark's loop, and what else was counted of memory."""

    allocations: Deltas
    frees: Deltas
    gauges: tuple[Gauge, ...] = ()
    notes: tuple[str, ...] = ()

    def without_names(self) -> "Memory":
        """This answer as totals only, for a program without function names."""
        allocations, frees = self.allocations.without_names(), self.frees.without_names()
        return replace(self, allocations=allocations, frees=frees)


@dataclass(frozen=True)
class Syscalls:
    """System calls of one benchmark's loop; `tool` is the program that counted them."""

    calls: Deltas
    tool: str
    gauges: tuple[Gauge, ...] = ()
    notes: tuple[str, ...] = ()
