"""What `assay trust` found: how far verdicts can be trusted for this suite on this host.

    VerdictOutcome   whether a verdict was right
    CountedShare     how often something was so, with its interval at 95 %
    TryVerdict       the verdict on one benchmark that was slowed by a known amount, or not at all
    Injection        whether a slowdown was as large as it was meant to be, as measured
    Tries            all comparisons with a slowdown of one size
    Spread           by how much benchmarks of unchanged code differ
    Trust            all of these for one target

All of it is immutable, and uses no files, clocks or processes.
"""

from enum import StrEnum

import msgspec

from assay.model import Failure, Verdict


class VerdictOutcome(StrEnum):
    """Whether a verdict was right, given how much the benchmark was really slowed."""

    RIGHT = "right"  # "same" for a copy, or "slower" for a slowed benchmark
    WRONG = "wrong"  # a change for a copy, or "same" or "faster" for a slowed benchmark
    OPEN = "undecided"  # undecided, or different without a direction
    NOT_SLOWED = "not slowed"  # the delay did not reach the benchmark, which does not count


class CountedShare(msgspec.Struct, frozen=True):
    """`count` out of `of` cases; the true share lies between `low` and `high` with 95 %
    confidence."""

    count: int
    of: int
    low: float
    high: float


class TryVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on one benchmark in one comparison. All sizes are fractions: 0.05 is 5 %."""

    benchmark: str
    seed: int  # seed of the comparison that gave this verdict
    verdict: Verdict
    change: float | None  # relative change that was found; None: too few rounds
    low: float | None
    high: float | None
    rounds: int
    added: float | None = None  # fraction that the delay added, measured; None: no delay
    answer: VerdictOutcome = VerdictOutcome.OPEN


class Injection(msgspec.Struct, frozen=True, kw_only=True):
    """How large an injected slowdown really was, by measurement. All are fractions of the time
    without it."""

    least: float  # of all benchmarks: the least that the delays added
    median: float
    most: float
    seen: float | None  # median change of the times that the benchmarks themselves reported
    not_slowed: tuple[str, ...] = ()  # benchmarks that the delay did not reach: they do not count


class Tries(msgspec.Struct, frozen=True, kw_only=True):
    """All comparisons with a slowdown of one size, `injected`; 0 is a build compared with its
    copy."""

    injected: float
    margin: float
    comparisons: int  # how many comparisons were made, each of the whole suite
    told: tuple[TryVerdict, ...]  # one for each benchmark of each comparison
    right: CountedShare
    wrong: CountedShare
    open: CountedShare  # verdicts that were undecided
    wrong_suites: CountedShare  # comparisons with at least one wrong verdict
    covered: CountedShare  # intervals that contain the slowdown that was injected
    injection: Injection | None = None  # how large the slowdown really was; None: there was none


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """By how much benchmarks of unchanged code differ: half of them by less than `median`."""

    median: float
    most: float  # largest difference of any benchmark
    worst: str  # the benchmark that has `most`
    benchmarks: int


class Placement(msgspec.Struct, frozen=True, kw_only=True):
    """How much a benchmark's time changes when the same code lies elsewhere in memory."""

    links: int = 0  # how often the target was linked, in random orders; 0: this was not measured
    why_not: str = ""  # why it was not measured
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
    looked_at: int  # how many benchmarks were in at least one comparison
    slowdowns: tuple[float, ...]  # sizes of slowdowns that were asked for, as fractions
    how: str  # a sentence on how benchmarks were slowed
    why_not_slowed: str = ""  # why no benchmark could be slowed; empty: they were
    tries: tuple[Tries, ...]  # the copy first, then each slowdown for which there was time
    placement: Placement
    # How far rounds of unchanged code differ: smaller changes are noise.
    floor: Spread | None = None
    floor_rounds: int = 0
    host: dict[str, str] = {}
    failures: tuple[Failure, ...] = ()
    notes: tuple[str, ...] = ()
    interrupted: bool = False
