"""What is remarked beside a comparison or a judgement. `show.words.remarks` says it in words.

    DroppedRounds(10)          10 rounds were not used
    RemarkName.ZEROS           no ratio can be made of zeros

What has no numbers is a name, everything else a value. No verdict depends on how it is worded.
"""

from enum import StrEnum

import msgspec


class RemarkName(StrEnum):
    """A remark without numbers: why a comparison has no ratio or no interval, or what to know about
    it."""

    NOTHING_MEASURED = "nothing-measured"
    NO_NUMBERS = "no-numbers"  # NaN or infinite values, or values beyond any measurement
    NEGATIVE = "negative"
    ZEROS = "zeros"
    FROM_NONE = "from-none"  # the base counted zero, so the change is no ratio
    COUNT_VARIES = "count-varies"  # a count that should be equal in every launch, and is not
    TWO_GROUPS = "two-groups"  # the rounds fall into two groups
    PLACED_ELSEWHERE = "placed-elsewhere"  # the same machine code: no gate counts the difference
    PLACED_ELSEWHERE_COUNTED = "placed-elsewhere-counted"
    ONE_PROGRAM = "one-program"  # about a whole judgement: both sides are one program
    ONE_PROGRAM_UNMEASURED = "one-program-unmeasured"


class DroppedRounds(msgspec.Struct, frozen=True, tag=True):
    """Rounds that are not used, because the hypervisor took CPU time meanwhile."""

    rounds: int


class CorrelatedRounds(msgspec.Struct, frozen=True, tag=True):
    """Rounds of one comparison are not independent; above 0 its interval is wider for it."""

    lag_1: float  # autocorrelation from one round to the next


class Drifts(msgspec.Struct, frozen=True, tag=True):
    """The effect moves from the first half of the rounds to the second: 0.05 is 5 % more."""

    change: float


class SecondDiffers(msgspec.Struct, frozen=True, tag=True):
    """Whichever side runs second in a round is slower by this fraction, or faster (below 0)."""

    change: float


class TooFewRepetitions(msgspec.Struct, frozen=True, tag=True):
    """There are too few repetitions in a file for an interval."""

    repetitions: int  # how many the side with fewer has
    wanted: int  # how many each side needs


class CorrelatedSuite(msgspec.Struct, frozen=True, tag=True):
    """Rounds are not independent over the whole suite; all intervals are wider for it."""

    correlation: float  # autocorrelation from one round to the next, from -1 to 1


class BelowFloor(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """The margin asked for is smaller than the differences that this host shows between a build and
    itself."""

    margin: float
    effect: float  # largest difference of a build from itself: 0.05 is 5 %
    rounds: int
    source: str  # where the floor is from, as `Floor.source`
    above: int = 0  # how many benchmarks differ by more than the margin; 0: not known
    benchmarks: int = 0  # how many benchmarks the floor was measured of
    worst: str = ""  # the benchmark that differs most from itself


class NeverTogether(msgspec.Struct, frozen=True, tag=True):
    """Benchmarks that both sides have, but that no usable round measured on both sides."""

    benchmarks: tuple[str, ...]


class NotBegun(msgspec.Struct, frozen=True, tag=True):
    """Benchmarks of the session that were never measured: it ended before."""

    benchmarks: int
    of: int


class OtherIterations(msgspec.Struct, frozen=True, tag=True):
    """Benchmarks counted for different numbers of iterations on the two sides."""

    benchmarks: tuple[str, ...]


class OtherValgrinds(msgspec.Struct, frozen=True, tag=True):
    """The sides were counted by different versions of valgrind."""

    versions: tuple[str, ...]


class OtherLinking(msgspec.Struct, frozen=True, tag=True):
    """The OS lab's programs were linked with no library on one side only."""

    static_side: str


class PlacementNotHeld(msgspec.Struct, frozen=True, tag=True):
    """Builds that ignored the compiler flags by which every function begins at a cache line."""

    targets: tuple[str, ...]
    held: int  # how many functions begin at a cache line all the same
    functions: int  # how many functions there are in all


class NotRelinked(msgspec.Struct, frozen=True, tag=True):
    """Builds that could not be linked in random orders, and why, as the build said."""

    targets: tuple[str, ...]
    reason: str


class LibrariesKept(msgspec.Struct, frozen=True, tag=True):
    """Builds of which only the program was linked in random orders, not these libraries."""

    targets: tuple[str, ...]
    libraries: tuple[str, ...]


class ToSeeWhy(msgspec.Struct, frozen=True, tag=True):
    """The command of `assay why` that would explain a slowdown."""

    command: str


class SessionNote(msgspec.Struct, frozen=True, tag=True):
    """A note that a session wrote into its record while it measured."""

    text: str


OfBuilds = PlacementNotHeld | NotRelinked | LibrariesKept
OfComparison = DroppedRounds | CorrelatedRounds | Drifts | SecondDiffers | TooFewRepetitions
OfJudgement = (
    CorrelatedSuite
    | BelowFloor
    | NeverTogether
    | NotBegun
    | OtherIterations
    | OtherValgrinds
    | OtherLinking
    | ToSeeWhy
    | SessionNote
)
Remark = RemarkName | OfComparison | OfJudgement | OfBuilds
