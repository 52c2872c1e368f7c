"""The values of `assay why` about time: samples of rounds, and which function takes more.

    found.told[0].change.amount      2100000, in femtoseconds of an iteration

Times are whole femtoseconds of one iteration, so that parts add up to their sum exactly.
"""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from assay.stacks import Stack, Stacks

FS = 10**15  # femtoseconds in a second
WAITING = "[waiting]"  # stands for time of the benchmark's clock in which it was on no CPU
OTHERS = "[others]"  # stands for all functions that were seen too seldom to be judged alone


class SampleSpot(msgspec.Struct, frozen=True):
    """Where perf took a sample: the function of the user, and what that was calling then."""

    function: str
    below: str = ""  # the library function or kernel part that it called; empty: its own code
    own: bool = True  # whether it is the user's function; False: no function of the user called it


class Sampled(msgspec.Struct, frozen=True):
    """What was measured in one launch of a benchmark under perf: its own times, and the samples."""

    iteration_s: float  # seconds of an iteration by the benchmark's clock
    cpu_s: float  # the part of `iteration_s` spent on a CPU
    spots: Mapping[SampleSpot, int]  # summed weight of the samples: nanoseconds or cycles
    stacks: Mapping[Stack, int] = msgspec.field(default_factory=dict)
    samples: int = 0  # how many samples perf took


class Round(NamedTuple):
    """One launch of each side under perf, one right after the other."""

    base: Sampled
    candidate: Sampled


class TimeInterval(msgspec.Struct, frozen=True, array_like=True):
    """An amount in femtoseconds with its interval, whose ends are None with too few rounds."""

    amount: int
    low: int | None
    high: int | None

    @property
    def is_change(self) -> bool:
        """Whether the interval excludes zero."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


class ChangeInCallee(msgspec.Struct, frozen=True, array_like=True):
    """The part of a function's change in time that was spent in something it calls."""

    callee: str  # the function called; empty: the function's own code
    amount: int  # femtoseconds of an iteration


class Instructions(NamedTuple):
    """Instructions of one function, and of the library functions it called, in all iterations
    together."""

    base: int
    candidate: int


class TimeChange(msgspec.Struct, frozen=True):
    """The time of an iteration spent in one function, on each side, and how much longer it takes
    now."""

    function: str
    own: bool
    base: TimeInterval
    candidate: TimeInterval
    change: TimeInterval
    below: tuple[ChangeInCallee, ...] = ()  # by callee, rounded: they need not add up to `change`
    # Executed in the function, where callgrind counted them.
    instructions: Instructions | None = None

    @property
    def same_work(self) -> bool:
        """Whether both sides execute equally many instructions in the function, to a thousandth."""
        if self.instructions is None or not self.instructions.base:
            return False
        before, now = self.instructions
        return abs(now - before) * 1000 <= before


class MovedTime(msgspec.Struct, frozen=True, array_like=True):
    """Time that moved from one function into another, so that the sum did not change."""

    function: str
    into: str
    amount: int


class Timed(msgspec.Struct, frozen=True):
    """What `assay why` found about the time of one benchmark.

    `changes` and `unexplained` add up to `whole.amount`.

    `whole` is time on a CPU, without waiting unless that has changed beyond doubt: other programs
    on the host make a benchmark wait too, and that noise would hide the rest.
    """

    rounds: int
    base: int  # femtoseconds of an iteration
    candidate: int  # femtoseconds of an iteration
    whole: TimeInterval
    # How much longer an iteration is off the CPU; also in `changes` if that is sure.
    waiting: TimeChange
    changes: tuple[TimeChange, ...]  # by function, those that explain most first
    told: tuple[TimeChange, ...]  # those of `changes` that an answer names
    moved: tuple[MovedTime, ...]
    stacks: Stacks
    event: str  # the perf event that the samples were taken by
    alpha: float
    notes: tuple[str, ...] = ()

    @property
    def unexplained(self) -> int:
        return self.whole.amount - sum(one.change.amount for one in self.changes)

    @property
    def has_waiting(self) -> bool:
        """Whether `base`, `candidate` and `whole` include waiting, so are wall-clock times."""
        return self.waiting.change.is_change
