"""What `assay trust` found: how far verdicts can be trusted for this suite on this host.

    VerdictOutcome   whether a verdict was right
    CountedShare     how often something was so, with its interval at 95 %
    TryVerdict       the verdict on one benchmark that was slowed by a known amount, or not at all
    Injection        whether a slowdown was as large as it was meant to be, as measured
    Tries            all comparisons with one slowdown
    Spread           by how much benchmarks of unchanged code differ
    Trust            all of it

All of it is immutable, and uses no files, clocks or processes.
"""

from enum import StrEnum

import msgspec

from assay.model import Failure, Verdict


class VerdictOutcome(StrEnum):
    """Whether a verdict was right, given what was true."""

    RIGHT = "right"  # a copy is called the same, a slowed benchmark slower
    WRONG = "wrong"  # a copy is called changed, a slowed benchmark the same or faster
    OPEN = "undecided"  # undecided, or different without a direction
    NOT_SLOWED = "not slowed"  # the delay did not reach the benchmark, which does not count


class CountedShare(msgspec.Struct, frozen=True):
    """`count` of `of`; the share lies between `low` and `high` with 95 % confidence."""

    count: int
    of: int
    low: float
    high: float


class TryVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What one comparison said of one benchmark. All shares are fractions: 0.05 is 5 %."""

    benchmark: str
    seed: int  # of the comparison
    verdict: Verdict
    change: float | None  # None: too few rounds
    low: float | None
    high: float | None
    rounds: int
    added: float | None = None  # what the delay added to its launches, measured; None: nothing
    answer: VerdictOutcome = VerdictOutcome.OPEN


class Injection(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured of a slowdown, apart from the verdicts; fractions."""

    least: float  # of all benchmarks: what the delays added, as a share of the time without them
    median: float
    most: float
    seen: float | None  # the median change of the times that the benchmarks reported
    not_slowed: tuple[str, ...] = ()  # benchmarks that the delay did not reach: they do not count


class Tries(msgspec.Struct, frozen=True, kw_only=True):
    """All comparisons with one slowdown; `injected` 0: with a copy."""

    injected: float
    margin: float
    comparisons: int  # each is one suite, judged as a whole
    told: tuple[TryVerdict, ...]
    right: CountedShare
    wrong: CountedShare
    open: CountedShare
    wrong_suites: CountedShare  # comparisons with at least one wrong verdict
    covered: CountedShare  # intervals that hold what was injected
    injection: Injection | None = None  # None: of a copy, or it reached no benchmark


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """By how much benchmarks of unchanged code differ: half of them by less than `median`."""

    median: float
    most: float
    worst: str  # the benchmark with the most
    benchmarks: int


class Placement(msgspec.Struct, frozen=True, kw_only=True):
    """How other placements of the same code change its times."""

    links: int = 0  # how often it was linked, in random orders; 0: this was not measured
    why_not: str = ""
    spread: Spread | None = None  # standard deviations between two links; None: too few rounds


class Trust(msgspec.Struct, frozen=True, kw_only=True):
    """The whole answer of `assay trust` for one target."""

    target: str
    seed: int
    budget_s: float
    spent_s: float
    margin: float
    alpha: float
    benchmarks: int  # how many the target has
    looked_at: int  # how many of these were in at least one comparison
    slowdowns: tuple[float, ...]  # those that were asked for
    how: str  # how a slowdown was made, in words
    why_not_slowed: str = ""  # why nothing was slowed; empty: it was
    tries: tuple[Tries, ...]  # with a copy first; those for which no time was left are missing
    placement: Placement
    floor: Spread | None = None  # changes below this are noise in the rounds of one comparison
    floor_rounds: int = 0
    host: dict[str, str] = {}
    failures: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()
    interrupted: bool = False
