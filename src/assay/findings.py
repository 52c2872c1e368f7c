"""What `assay why` says of one benchmark: findings, made once for text, JSON and pages.

    found.stages[0].lines[0].claim                  Claim.FUNCTION
    found.stages[0].lines[0].amounts[0].each        Fraction(812, 1), an iteration

`findings` of `judge/attribution/findings.py` makes them of what the stages found. It decides what
is worth naming, in which order, and of what it is a share; who shows them only words them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from assay.explained import Explained
from assay.work import Place

_ALLOCATES = re.compile(r"(operator new|malloc|calloc|realloc|aligned_alloc|posix_memalign)\b")
ELSEWHERE = "elsewhere"  # the kind of a cause that stands for all causes that are not named


class StageName(StrEnum):
    """The stages, in the order in which they are told."""

    WORK = "work"
    TIME = "time"
    MEMORY = "memory"
    SYSCALLS = "syscalls"
    CODE = "code"


class Claim(StrEnum):
    """What a finding claims: of the whole loop, then of its subject."""

    SAME = "same"  # both sides do as much
    OTHER_TIME = "other time"  # both sides do as much, in another time
    OTHER_MISSES = "other misses"  # both sides do as much, with other misses
    SMALL = "small"  # it differs, and nothing of that is worth naming
    DIFFERS = "differs"
    UNSURE = "unsure"  # it differs, which may be chance
    UNDECIDED = "undecided"  # there are too few rounds to tell

    FUNCTION = "function"  # this function does more or less, by its `causes`
    LAYOUT = "layout"  # it takes another time for the same instructions
    UNNAMED = "unnamed"  # it does more, as data that lies elsewhere can make it
    LARGEST = "largest"  # it differs most, and that is not sure
    UNKNOWN = "unknown"  # what no function of the user is known for
    REST = "rest"  # all functions that are not named
    COMPILERS = "compilers"  # the subject built the base, and `other` the candidate
    CODE = "code"  # it has other machine code; `how`
    UNCHANGED = "unchanged"  # how many functions have the same machine code
    DEAR = "dear"  # it executes instructions that take far longer than others
    MISSES = "misses"  # it does worse or better in a simulated processor
    MOVED = "moved"  # work moved from or to `other`, which explains nothing; `how`
    SETUP = "setup"  # it does more or less outside the loop
    FREED = "freed"  # frees differ otherwise than allocations
    DURATION = "duration"  # how long the subject, a system call, takes
    COUNTER = "counter"  # a counter of the kernel or the processor


class Difference(NamedTuple):
    """An amount in the base, and how much more of it the candidate has: of all iterations."""

    unit: str  # what is counted, in the singular
    base: int | Fraction
    amount: int | Fraction
    iterations: int = 1
    low: int | None = None  # the interval's ends, where there is one
    high: int | None = None

    @property
    def each(self) -> Fraction:
        """How much more in one iteration."""
        return Fraction(self.amount, self.iterations)

    @property
    def before(self) -> Fraction:
        """How much one iteration had in the base."""
        return Fraction(self.base, self.iterations)

    @property
    def now(self) -> Fraction:
        """How much one iteration has in the candidate."""
        return self.before + self.each

    @property
    def share(self) -> Fraction | None:
        """The change as a share of the base; None where there was nothing."""
        return Fraction(self.amount, self.base) if self.base else None

    @property
    def is_large(self) -> bool:
        """Whether it is more than the base, so that points of the base say little."""
        return self.amount > self.base or -self.amount > self.base

    @property
    def points(self) -> float:
        """The change in percent of the base."""
        return float(100 * self.amount / max(1, self.base)) + 0.0  # no -0.0


class Cause(NamedTuple):
    """A part of what a function does more: in which callee, at which line."""

    kind: str
    callee: str = ""
    place: Place = Place()
    amounts: tuple[Difference, ...] = ()
    caller: str = ""
    address: int = 0  # in the executable
    calls: Difference | None = None  # how often it is called

    @property
    def allocates(self) -> bool:
        """Whether it is a function that gives memory."""
        return bool(_ALLOCATES.match(self.callee))


@dataclass(frozen=True)
class WhyFinding:
    """One thing that is said."""

    stage: StageName
    claim: Claim
    subject: str = ""  # mostly a function; empty: the whole loop
    amounts: tuple[Difference, ...] = ()
    causes: tuple[Cause, ...] = ()  # the largest first
    other: str = ""  # a second function
    how: str = ""  # in what way it moved, or its code differs
    share: float | None = None  # of a function's code, or of all that ran, that is the same
    part_of: Difference | None = None  # the whole of which it is a share
    others: int = 0  # how many more functions it stands for
    rounds: int = 0  # in how many rounds it was seen; 0: it was counted
    rank: int = 0  # its number in a list; 0: it has none
    ranges: tuple[tuple[float, float], ...] = ()  # least and most of each side, an iteration
    measured_by: str = ""  # the tool or the clock, where that belongs to the sentence


@dataclass(frozen=True)
class StageFindings:
    """What is said of one stage: its whole, and what else is worth saying."""

    stage: StageName
    head: WhyFinding
    lines: tuple[WhyFinding, ...]
    notes: Sequence[str] = ()  # what is missing, and why, where no stage before misses it
    sign: int = 0  # of the whole; 0 as well where nothing of it is sure


@dataclass(frozen=True)
class Findings:
    """All of one benchmark. `evidence` is what it was made of, for tables and pictures."""

    evidence: Explained
    first: WhyFinding | None  # how much, and the function that explains most
    # The functions that explain the difference, those that explain most first: of each what was
    # counted, what was timed, or both. Then what is left.
    answer: tuple[tuple[WhyFinding, ...], ...]
    rest: tuple[WhyFinding, ...]
    stages: tuple[StageFindings, ...]
    table: tuple[WhyFinding, ...]  # functions by their own change: of all, and before and now
    notes: tuple[str, ...]  # those of all stages, in the order in which they are told
    most: int | None  # how many functions of a kind are named; None: all
