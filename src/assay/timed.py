"""The values of `assay why` about time: samples of rounds, and which function takes more.

    found.told[0].change.amount      2100000, in femtoseconds of an iteration

Times are whole femtoseconds of one iteration, so that parts add up to their sum exactly.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from assay.stacks import Stack, Stacks

FS = 10**15  # femtoseconds in a second
WAITING = "[waiting]"  # stands for time of the benchmark's clock in which it was on no CPU
OTHERS = "[others]"  # stands for all functions that were seen too seldom to be judged alone


class SampleSpot(NamedTuple):
    """Where a sample was taken: the user's function, and what it was calling then."""

    function: str
    below: str = ""  # a library function or the kernel; empty: its own code
    own: bool = True  # whether it is the user's; else no function of the user called it


@dataclass(frozen=True)
class Sampled:
    """One launch: what the benchmark measured itself, and the samples taken meanwhile."""

    iteration_s: float  # seconds of an iteration by the benchmark's clock
    cpu_s: float  # the part of `iteration_s` spent on a CPU
    spots: Mapping[SampleSpot, int]  # weight of their samples: nanoseconds, or cycles
    stacks: Mapping[Stack, int] = field(default_factory=dict)
    samples: int = 0


class Round(NamedTuple):
    """One launch of each side, one right after the other."""

    base: Sampled
    candidate: Sampled


class TimeInterval(NamedTuple):
    """An amount in femtoseconds with its interval, whose ends are None with too few rounds."""

    amount: int
    low: int | None
    high: int | None

    @property
    def is_change(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


class ChangeInCallee(NamedTuple):
    """How much of a function's change was in something that it calls."""

    callee: str  # empty: in its own code
    amount: int  # femtoseconds of an iteration


class Instructions(NamedTuple):
    """Instructions of one function in all iterations together, with the libraries it called."""

    base: int
    candidate: int


@dataclass(frozen=True)
class TimeChange:
    """How long an iteration is in a function on each side, and how much longer now."""

    function: str
    own: bool
    base: TimeInterval
    candidate: TimeInterval
    change: TimeInterval
    below: tuple[ChangeInCallee, ...] = ()  # the largest first; rounded, so they need not add up
    instructions: Instructions | None = None  # where callgrind counted them

    @property
    def same_work(self) -> bool:
        """Whether both sides execute equally many instructions in it, to a thousandth."""
        if self.instructions is None or not self.instructions.base:
            return False
        before, now = self.instructions
        return abs(now - before) * 1000 <= before


class MovedTime(NamedTuple):
    """Time that moved from one function into another, so that nothing was added."""

    function: str
    into: str
    amount: int


@dataclass(frozen=True)
class Timed:
    """The answer for one benchmark. `changes` and `unexplained` add up to `whole.amount`.

    `whole` is time on a CPU, without waiting unless that has changed beyond doubt: other programs
    on the host make a benchmark wait too, and that noise would hide the rest.
    """

    rounds: int
    base: int
    candidate: int
    whole: TimeInterval
    waiting: TimeChange  # also among `changes` where it has changed
    changes: tuple[TimeChange, ...]  # those that explain most first
    told: tuple[TimeChange, ...]  # the changes to name
    moved: tuple[MovedTime, ...]
    stacks: Stacks
    event: str  # what the samples were taken by
    alpha: float
    notes: tuple[str, ...] = ()

    @property
    def unexplained(self) -> int:
        return self.whole.amount - sum(one.change.amount for one in self.changes)

    @property
    def has_waiting(self) -> bool:
        """Whether `base`, `candidate` and `whole` include waiting, so are wall-clock times."""
        return self.waiting.change.is_change
