"""What `assay why` says of memory and of system calls: counts by the function that caused them.

    found = Deltas(iterations=1000, base=Amount(1000, 64000), candidate=Amount(2000, 128000), ...)
    found.whole         Amount(1000, 64000), of all iterations together

All amounts are whole numbers, and the changes add up to the whole exactly.
"""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from assay.work import Place


class Amount(NamedTuple):
    """A number of events (allocations, frees or system calls), and their bytes (0 for system
    calls)."""

    times: int = 0
    size: int = 0

    def plus(self, other: "Amount") -> "Amount":
        return Amount(self.times + other.times, self.size + other.size)

    def minus(self, other: "Amount") -> "Amount":
        return Amount(self.times - other.times, self.size - other.size)


class ResourceSpot(msgspec.Struct, frozen=True, array_like=True):
    """What caused an event (an allocation, a free or a system call): a function of the user, its
    line, and the library function it called.

    `function` is empty where no function of the user is known: then the event is unexplained.
    """

    what: str  # "allocation", "free", or the name of a system call
    function: str = ""
    via: str = ""  # the library function that `function` called
    place: Place = Place()
    caller: str = ""  # the user's function that called `function`, where that is known


Counts = Mapping[ResourceSpot, Amount]


class SpotChange(msgspec.Struct, frozen=True):
    """A line of source that causes more or fewer allocations or system calls than before, or larger
    ones."""

    spot: ResourceSpot
    base: Amount
    candidate: Amount

    @property
    def amount(self) -> Amount:
        return self.candidate.minus(self.base)


class FunctionChange(msgspec.Struct, frozen=True):
    """How many more allocations or system calls one function causes. `places` are its lines of
    source, those that changed most first; they add up to the function's change."""

    function: str
    base: Amount
    candidate: Amount
    places: tuple[SpotChange, ...]
    varies: bool = False  # repeated runs of one side differ by as much as the sides do

    @property
    def amount(self) -> Amount:
        return self.candidate.minus(self.base)


class Deltas(msgspec.Struct, frozen=True):
    """How many more events the candidate has than the base, by function.

    `told` are the functions that an answer names, in its order.
    """

    iterations: int
    base: Amount
    candidate: Amount
    changes: tuple[FunctionChange, ...]
    told: tuple[FunctionChange, ...] = ()
    # (name in the base, name now) of functions with equal amounts.
    moved: tuple[tuple[str, str], ...] = ()
    has_names: bool = True

    def without_names(self) -> "Deltas":
        """These changes as totals only, for a program without function names."""
        return replace(self, changes=(), told=(), moved=(), has_names=False)

    @property
    def whole(self) -> Amount:
        return self.candidate.minus(self.base)

    @property
    def unexplained(self) -> Amount:
        """The part of the difference that no known function of the user caused."""
        found = [one.amount for one in self.changes if not one.function]
        return found[0] if found else Amount()


class Gauge(msgspec.Struct, frozen=True, array_like=True):
    """A counter read in several runs of a benchmark's loop: the least and most per iteration on
    each side."""

    name: str
    base: tuple[float, float]
    candidate: tuple[float, float]
    is_changed: bool  # whether the sides differ by more than repeated runs of one side do


def time_gauge(name: str) -> str:
    """The name of the `Gauge` with the nanoseconds that a system call took."""
    return f"ns in {name}"


class Memory(msgspec.Struct, frozen=True):
    """What `assay why` counted of a benchmark's memory: allocations, frees, and further
    counters."""

    allocations: Deltas
    frees: Deltas
    gauges: tuple[Gauge, ...] = ()
    notes: tuple[str, ...] = ()

    def without_names(self) -> "Memory":
        """This result with totals only, for a program without function names."""
        allocations, frees = self.allocations.without_names(), self.frees.without_names()
        return replace(self, allocations=allocations, frees=frees)


class Syscalls(msgspec.Struct, frozen=True):
    """What `assay why` counted of a benchmark's system calls; `tool` is the program that
    counted."""

    calls: Deltas
    tool: str
    gauges: tuple[Gauge, ...] = ()
    notes: tuple[str, ...] = ()
