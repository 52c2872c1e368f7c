"""What `assay trust` found: what a user may believe of verdicts on his suite and his host.

    Answer      what a verdict was worth
    Share       how often something was so, and between which shares that lies with 95 %
    Told        what was said of one benchmark that was known to be slower by so much, or not at all
    Injection   whether a slowdown was what it was meant to be, by what was measured of it
    Tries       all comparisons with one slowdown
    Spread      by how much benchmarks differ that do not differ
    Trust       all of it

All of it is immutable, and knows no files, clocks or processes.
"""

from enum import StrEnum

import msgspec

from assay.model import Failure, Verdict


class Answer(StrEnum):
    """What a verdict was worth, given what was true."""

    RIGHT = "right"  # a copy is called the same, what is slower is called slower
    WRONG = "wrong"  # a copy is called changed, what is slower is called the same or faster
    OPEN = "undecided"  # or different without saying how
    NOT_SLOWED = "not slowed"  # the delay did not reach the benchmark: it does not count


class Share(msgspec.Struct, frozen=True):
    """`count` of `of`; the share lies between `low` and `high` with 95 % confidence."""

    count: int
    of: int
    low: float
    high: float


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What one comparison said of one benchmark. All shares are fractions: 0.05 is 5 %."""

    benchmark: str
    seed: int  # of the comparison
    verdict: Verdict
    change: float | None  # None: too few rounds
    low: float | None
    high: float | None
    rounds: int
    added: float | None = None  # to its launches by the delay, measured; None: nothing
    answer: Answer = Answer.OPEN


class Injection(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a slowdown besides what the verdicts say of it."""

    least: float  # what the delays made of the time they were added to, by benchmark
    median: float
    most: float
    seen: float | None  # the median of the changes of the times that benchmarks reported
    not_slowed: tuple[str, ...] = ()  # benchmarks that the delay did not reach: they do not count


class Tries(msgspec.Struct, frozen=True, kw_only=True):
    """Every comparison with one slowdown; `injected` 0: with a copy."""

    injected: float
    margin: float
    comparisons: int  # each is one suite, judged as a whole
    told: tuple[Told, ...]
    right: Share
    wrong: Share
    open: Share
    wrong_suites: Share  # comparisons with at least one wrong verdict
    covered: Share  # intervals that hold what was injected
    injection: Injection | None = None  # of a copy there is none


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """By how much benchmarks differ that do not differ: in half of them by less than `median`."""

    median: float
    most: float
    worst: str  # the benchmark with the most
    benchmarks: int


class Placement(msgspec.Struct, frozen=True, kw_only=True):
    """What other placements of the same code do to its times."""

    links: int = 0  # of it, with functions in random orders; 0: it was not measured
    why_not: str = ""
    spread: Spread | None = None  # standard deviations between two links; None: too few rounds


class Trust(msgspec.Struct, frozen=True, kw_only=True):
    """The whole answer."""

    target: str
    seed: int
    budget_s: float
    spent_s: float
    margin: float
    alpha: float
    benchmarks: int  # of the target
    looked_at: int  # of them, in at least one comparison
    slowdowns: tuple[float, ...]  # that were asked for
    how: str  # a slowdown was made, in words
    why_not_slowed: str = ""  # empty: it was
    tries: tuple[Tries, ...]  # of a copy first; what there was no time for is missing
    placement: Placement
    floor: Spread | None = None  # changes below this are noise in the rounds of one comparison
    floor_rounds: int = 0
    host: dict[str, str] = {}
    failures: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()
    interrupted: bool = False
