"""What `assay why` says of one benchmark: findings, made once for text, JSON and pages.

    found.stages[0].lines[0].claim                  Claim.FUNCTION
    found.stages[0].lines[0].amounts[0].more_per_iteration    Fraction(812, 1)

`findings` of `judge/attribution/findings.py` makes them of what the stages found. It decides what
is worth naming, in which order, and of what it is a share; who shows them only words them.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction

import msgspec

from assay.explained import Explained
from assay.work import Place

_ALLOCATES = re.compile(r"(operator new|malloc|calloc|realloc|aligned_alloc|posix_memalign)\b")
ELSEWHERE = "elsewhere"  # the kind of a cause that stands for all causes that are not named


class StageName(StrEnum):
    """The stages of `assay why`, in the order in which an answer shows them."""

    WORK = "work"
    TIME = "time"
    MEMORY = "memory"
    SYSCALLS = "syscalls"
    CODE = "code"


class Claim(StrEnum):
    """What a finding says. The first seven are about a whole stage; in the others, "it" is the
    finding's subject, mostly a function."""

    SAME = "same"  # both sides do equally much
    OTHER_TIME = "other time"  # both sides execute equally many instructions, in another time
    OTHER_MISSES = "other misses"  # equally many instructions, with other simulated cache misses
    SMALL = "small"  # the sides differ, but no single function differs enough to be named
    DIFFERS = "differs"  # the sides differ
    UNSURE = "unsure"  # the sides differ, which may be chance
    UNDECIDED = "undecided"  # there are too few rounds to tell whether the sides differ

    FUNCTION = "function"  # this function does more or less; `causes` say why
    LAYOUT = "layout"  # the function takes another time for equally many instructions
    UNNAMED = "unnamed"  # only libraries do more for it, as other addresses of data can cause
    LARGEST = "largest"  # this function differs most, and that may be chance
    UNKNOWN = "unknown"  # the part of the difference that no known function of the user caused
    REST = "rest"  # the part of the difference in all functions that are not named
    # `subject` is the compiler that built the base, `other` that of the candidate.
    COMPILERS = "compilers"
    CODE = "code"  # the function's machine code differs; `how` says in which way
    UNCHANGED = "unchanged"  # how many functions have the same machine code
    DEAR = "dear"  # the function executes more instructions that take long, such as divisions
    MISSES = "misses"  # the function has more or fewer misses in a simulated processor
    MOVED = "moved"  # work moved between this function and `other`: no difference to explain
    SETUP = "setup"  # the function executes more or fewer instructions outside the loop
    FREED = "freed"  # the number of frees changed, and not as the number of allocations did
    DURATION = "duration"  # how long a system call (`subject`) takes
    COUNTER = "counter"  # how a counter of the kernel or the processor (`subject`) changed


class Difference(msgspec.Struct, frozen=True):
    """How much of something the base has, and how much more of it the candidate has.

    Both are sums over all `iterations`; the properties give them for one iteration.
    """

    unit: str  # what is counted, in the singular
    base: int | Fraction
    amount: int | Fraction
    iterations: int = 1  # how many iterations `base` and `amount` are sums over
    low: int | None = None  # interval of `amount`; None: it has none
    high: int | None = None

    @property
    def more_per_iteration(self) -> Fraction:
        """How much more the candidate has than the base in one iteration."""
        return Fraction(self.amount, self.iterations)

    @property
    def base_value(self) -> Fraction:
        """How much the base has in one iteration."""
        return Fraction(self.base, self.iterations)

    @property
    def candidate_value(self) -> Fraction:
        """How much the candidate has in one iteration."""
        return self.base_value + self.more_per_iteration

    @property
    def share(self) -> Fraction | None:
        """The change as a fraction of the base; None where the base has nothing."""
        return Fraction(self.amount, self.base) if self.base else None

    @property
    def is_large(self) -> bool:
        """Whether the change is larger than the base, so that a percentage says little."""
        return self.amount > self.base or -self.amount > self.base

    @property
    def percent_of_base(self) -> float:
        """The change in percent of the base."""
        return float(100 * self.amount / max(1, self.base)) + 0.0  # no -0.0


class Cause(msgspec.Struct, frozen=True):
    """One reason why a function does more or less: the callee and the line of source behind it."""

    kind: str
    callee: str = ""
    place: Place = Place()
    amounts: tuple[Difference, ...] = ()
    caller: str = ""
    address: int = 0  # of the instruction, in the executable
    calls: Difference | None = None  # how often the callee is called

    @property
    def allocates(self) -> bool:
        """Whether the callee is a function that allocates memory, such as `malloc`."""
        return bool(_ALLOCATES.match(self.callee))


class WhyFinding(msgspec.Struct, frozen=True):
    """One statement of an answer of `assay why`: what is claimed of which function, with
    amounts."""

    stage: StageName
    claim: Claim
    subject: str = ""  # what the claim is about, mostly a function; empty: the whole loop
    amounts: tuple[Difference, ...] = ()
    causes: tuple[Cause, ...] = ()  # why the function changed, the largest cause first
    other: str = ""  # a second function that the claim is about
    how: str = ""  # in what way work moved, or machine code differs
    share: float | None = None  # fraction that is the same, of a function's code or of all that ran
    part_of: Difference | None = None  # the stage's whole difference, of which `amounts` are a part
    others: int = 0  # how many functions that are not named this finding stands for
    rounds: int = 0  # how many rounds it was measured in; 0: it was counted exactly
    rank: int = 0  # its number in a list, from 1; 0: it has no number
    ranges: tuple[tuple[float, float], ...] = ()  # (least, most) of each side's runs, per iteration
    measured_by: str = ""  # the tool or clock that measured it, where the sentence names it


class StageFindings(msgspec.Struct, frozen=True):
    """What one stage says: `head` about the whole benchmark, `lines` about functions and causes."""

    stage: StageName
    head: WhyFinding
    lines: tuple[WhyFinding, ...]
    # What this stage of `assay why` could not see and why, unless an earlier stage says so too.
    notes: Sequence[str] = ()
    sign: int = 0  # of the benchmark's whole difference: 1, -1, or 0 where it is none or unsure


class Findings(msgspec.Struct, frozen=True):
    """The whole answer of `assay why` for one benchmark.

    `evidence` is what the stages found, from which tables and pictures are made.
    """

    evidence: Explained
    first: WhyFinding | None  # how large the difference is, and the function that explains most
    # For each function that explains the difference, those that explain most first: what was
    # counted of it, what was timed, or both. `rest` is the part that they leave unexplained.
    answer: tuple[tuple[WhyFinding, ...], ...]
    rest: tuple[WhyFinding, ...]
    stages: tuple[StageFindings, ...]
    table: tuple[WhyFinding, ...]  # a row for each function, by how much it changed itself
    notes: tuple[str, ...]  # notes of all stages, in the order in which an answer shows the stages
    most: int | None  # limit of functions named of each kind; None: all are named
