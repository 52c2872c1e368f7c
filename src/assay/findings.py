"""What `assay why` says of one benchmark: findings, made once for text, JSON and pages.

    found.stages[0].lines[0].claim                  Claim.FUNCTION
    found.stages[0].lines[0].amounts[0].each        Fraction(812, 1), an iteration

`findings` of `judge/attribution/findings.py` makes them of what the stages found. It decides what
is worth naming, in which order, and of what it is a share; who shows them only words them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from assay.explained import Explained
from assay.work import Place

ELSEWHERE = "elsewhere"  # the kind of a cause that stands for all causes that are not named


class StageName(StrEnum):
    """The stages, in the order in which they are told."""

    MEMORY = "memory"
    SYSCALLS = "syscalls"


class Claim(StrEnum):
    """What a finding claims; the first three are of a whole loop, the others of its subject."""

    SAME = "same"  # both sides do as much
    SMALL = "small"  # it differs, and nothing of that is worth naming
    DIFFERS = "differs"
    FUNCTION = "function"  # this function does more or less, by its `causes`
    UNKNOWN = "unknown"  # what no function of the user is known for
    REST = "rest"  # all functions that are not named
    MOVED = "moved"  # the subject does what `other` did before
    FREED = "freed"  # frees differ otherwise than allocations
    DURATION = "duration"  # how long the subject, a system call, takes
    COUNTER = "counter"  # a counter of the kernel or the processor


class Difference(NamedTuple):
    """An amount in the base, and how much more of it the candidate has: of all iterations."""

    unit: str  # what is counted, in the singular
    base: int | Fraction
    amount: int | Fraction
    iterations: int

    @property
    def each(self) -> Fraction:
        """How much more in one iteration."""
        return Fraction(self.amount, self.iterations)

    @property
    def before(self) -> Fraction:
        """How much one iteration had in the base."""
        return Fraction(self.base, self.iterations)

    @property
    def share(self) -> Fraction | None:
        """The change as a share of the base; None where there was nothing."""
        return Fraction(self.amount, self.base) if self.base else None


class Cause(NamedTuple):
    """A part of what a function does more: in which callee, at which line."""

    kind: str
    callee: str = ""
    place: Place = Place()
    amounts: tuple[Difference, ...] = ()
    caller: str = ""


@dataclass(frozen=True)
class WhyFinding:
    """One thing that is said."""

    stage: StageName
    claim: Claim
    subject: str = ""  # mostly a function; empty: the whole loop
    amounts: tuple[Difference, ...] = ()
    causes: tuple[Cause, ...] = ()  # the largest first
    other: str = ""  # a second function
    rank: int = 0  # its number in a list; 0: it has none
    ranges: tuple[tuple[float, float], ...] = ()  # least and most of each side, an iteration
    measured_by: str = ""  # the tool, where that belongs to the sentence


@dataclass(frozen=True)
class StageFindings:
    """What is said of one stage: its whole, and what else is worth saying."""

    stage: StageName
    head: WhyFinding
    lines: tuple[WhyFinding, ...]
    notes: Sequence[str] = ()  # what is missing, and why


@dataclass(frozen=True)
class Findings:
    """All of one benchmark. `evidence` is what it was made of, for tables and pictures."""

    evidence: Explained
    stages: tuple[StageFindings, ...] = ()
