"""What `assay why` hands from room to room about time: samples of rounds, and who takes more.

    round.base.share({Spot("append(...)")})      0.41 of the time on a CPU

Times are whole femtoseconds of one iteration, so that parts add up to their sum exactly.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from assay.stacks import Stack, Stacks

FS = 10**15  # a second
WAITING = "[waiting]"  # the benchmark's clock went on, and it was on no CPU
OTHERS = "[others]"  # all that was seen too seldom to be judged one by one


class Spot(NamedTuple):
    """Where a sample was taken: the user's function, and what that was calling then."""

    function: str
    below: str = ""  # a library's function or the kernel; empty: its own code
    own: bool = True  # a function of the user; else nobody of the user called it


@dataclass(frozen=True)
class Sampled:
    """One launch: what the benchmark measured of itself, and samples taken meanwhile."""

    iteration_s: float
    cpu_s: float  # of that on a CPU
    spots: Mapping[Spot, int]  # by weight: nanoseconds, or cycles
    stacks: Mapping[Stack, int] = field(default_factory=dict)
    samples: int = 0


class Round(NamedTuple):
    """One launch of each side, one right after the other."""

    base: Sampled
    candidate: Sampled


class Span(NamedTuple):
    """An amount with its interval; ends are None where there were too few rounds."""

    amount: int
    low: int | None
    high: int | None

    @property
    def is_change(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


class Below(NamedTuple):
    """How much of a function's change was spent in something that it calls."""

    callee: str  # empty: in its own code
    amount: int


class Instructions(NamedTuple):
    """Of one function and of all iterations together, with the libraries below it."""

    base: int
    candidate: int


@dataclass(frozen=True)
class TimeChange:
    """What a function takes of an iteration, and how much more that is now."""

    function: str
    own: bool
    base: Span
    candidate: Span
    change: Span
    below: tuple[Below, ...] = ()  # most first; rounded, so they need not add up
    instructions: Instructions | None = None  # where exact work knows them

    @property
    def same_work(self) -> bool:
        """Whether it does the same instructions, but for a thousandth, in another time."""
        if self.instructions is None or not self.instructions.base:
            return False
        before, now = self.instructions
        return abs(now - before) * 1000 <= before


class Passed(NamedTuple):
    """Time that one function no longer takes and another takes now: moved, not added."""

    function: str
    into: str
    amount: int


@dataclass(frozen=True)
class Timed:
    """Of one benchmark. `changes` and `unexplained` add up to `whole.amount`.

    `whole` is time on a CPU, unless what it waits has changed beyond doubt: what else runs on a
    host makes a benchmark wait too, and that would drown the rest.
    """

    rounds: int
    base: int
    candidate: int
    whole: Span
    waiting: TimeChange  # among `changes` where it has changed
    changes: tuple[TimeChange, ...]  # those that explain most first
    told: tuple[TimeChange, ...]
    moved: tuple[Passed, ...]
    stacks: Stacks
    event: str  # what the samples were taken by
    alpha: float
    notes: tuple[str, ...] = ()

    @property
    def unexplained(self) -> int:
        return self.whole.amount - sum(one.change.amount for one in self.changes)

    @property
    def has_waiting(self) -> bool:
        """Whether `base`, `candidate` and `whole` are times of a clock on the wall."""
        return self.waiting.change.is_change
