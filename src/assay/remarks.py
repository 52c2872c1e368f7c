"""What is remarked beside a comparison or a judgement. `show.words.remarks` says it in words.

    DroppedRounds(10)          10 rounds were not used
    RemarkName.ZEROS           no ratio can be made of zeros

What has no numbers is a name, everything else a value. No verdict depends on how it is worded.
"""

from enum import StrEnum

import msgspec


class RemarkName(StrEnum):
    """A remark that has no numbers; first those about a comparison."""

    NOTHING_MEASURED = "nothing-measured"
    NO_NUMBERS = "no-numbers"  # or numbers beyond any measurement
    NEGATIVE = "negative"
    ZEROS = "zeros"
    FROM_NONE = "from-none"  # a count that was zero: its change is no ratio
    COUNT_VARIES = "count-varies"  # a count that should repeat, and does not
    TWO_GROUPS = "two-groups"  # rounds are of two kinds
    PLACED_ELSEWHERE = "placed-elsewhere"  # the same machine code; no gate counts the difference
    PLACED_ELSEWHERE_COUNTED = "placed-elsewhere-counted"
    ONE_PROGRAM = "one-program"  # about a judgement: both sides are the same
    ONE_PROGRAM_UNMEASURED = "one-program-unmeasured"


class DroppedRounds(msgspec.Struct, frozen=True, tag=True):
    """Rounds that are not used, because the hypervisor took CPU time meanwhile."""

    rounds: int


class CorrelatedRounds(msgspec.Struct, frozen=True, tag=True):
    """Rounds of one comparison are not independent; above 0 its interval is wider for it."""

    lag_1: float


class Drifts(msgspec.Struct, frozen=True, tag=True):
    """The effect moves from the first half of the rounds to the second: 0.05 is 5 % more."""

    change: float


class SecondDiffers(msgspec.Struct, frozen=True, tag=True):
    """Whichever side runs second in a round is slower by this, or faster (below 0)."""

    change: float


class TooFewRepetitions(msgspec.Struct, frozen=True, tag=True):
    """There are too few repetitions for an interval."""

    repetitions: int  # of the side that has fewer
    wanted: int  # on each side


class CorrelatedSuite(msgspec.Struct, frozen=True, tag=True):
    """Rounds are not independent over the whole suite; all intervals are wider for it."""

    correlation: float


class BelowFloor(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """The margin asked for is smaller than what this host shows of a program against itself."""

    margin: float
    effect: float  # up to which A against A differs: 0.05 is 5 %
    rounds: int
    source: str  # of the floor
    above: int = 0  # benchmarks that differ by more than the margin; 0: not known for each ...
    benchmarks: int = 0  # ... of so many
    worst: str = ""  # the one that differs most


class NeverTogether(msgspec.Struct, frozen=True, tag=True):
    """Benchmarks that both sides have, and that no usable round has of both."""

    benchmarks: tuple[str, ...]


class OtherIterations(msgspec.Struct, frozen=True, tag=True):
    """Benchmarks counted for different numbers of iterations on the two sides."""

    benchmarks: tuple[str, ...]


class OtherValgrinds(msgspec.Struct, frozen=True, tag=True):
    """The sides were counted by different versions of valgrind."""

    versions: tuple[str, ...]


class PlacementNotHeld(msgspec.Struct, frozen=True, tag=True):
    """Builds that do not take the flags by which functions begin at a line of the cache."""

    targets: tuple[str, ...]
    held: int  # functions that do begin there ...
    functions: int  # ... of so many


class NotRelinked(msgspec.Struct, frozen=True, tag=True):
    """Builds that could not be linked in random orders, and why, as the build said."""

    targets: tuple[str, ...]
    reason: str


class LibrariesKept(msgspec.Struct, frozen=True, tag=True):
    """Builds of which only the program was linked in random orders, not these libraries."""

    targets: tuple[str, ...]
    libraries: tuple[str, ...]


class ToSeeWhy(msgspec.Struct, frozen=True, tag=True):
    """The command that explains a slowdown."""

    command: str


class SessionNote(msgspec.Struct, frozen=True, tag=True):
    """What a session noted while it measured, as its record has it."""

    text: str


OfBuilds = PlacementNotHeld | NotRelinked | LibrariesKept
OfComparison = DroppedRounds | CorrelatedRounds | Drifts | SecondDiffers | TooFewRepetitions
OfJudgement = (
    CorrelatedSuite
    | BelowFloor
    | NeverTogether
    | OtherIterations
    | OtherValgrinds
    | ToSeeWhy
    | SessionNote
)
Remark = RemarkName | OfComparison | OfJudgement | OfBuilds
