"""The values that measure, record, judge and show hand to each other.

    Sample      what one launch measured of one benchmark
    Record      samples, the facts around them, and what failed
    Series      one metric of one benchmark on one side: numbers only
    Pair        the two series a comparison is made of
    Comparison  an effect with its interval and its verdict
    Judgement   all comparisons made at once, and the rules they were made by
    Choice      which member of a suite's group to take, at each size

Everything here is immutable and uses no files, clocks or processes. Numbers
are in the unit named beside them; whether more or less is better is not stored but
looked up in `assay.units`.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

import msgspec

from assay import defaults
from assay.facts import Facts
from assay.judging import Control, Method, Shortage
from assay.remarks import Remark
from assay.same_code import SameCode


class Side(StrEnum):
    """Which of the two targets of a comparison."""

    BASE = "base"
    CANDIDATE = "candidate"


class Design(StrEnum):
    """How the launches of a pair lay in time, which decides what may be concluded."""

    INTERLEAVED = "interleaved"  # rounds: one launch of each side, random order
    DUET = "duet"  # rounds: both sides at once on two CPUs, swapped each round
    SEQUENTIAL = "sequential"  # one side measured after the other


class Verdict(StrEnum):
    """Where the interval of the effect lies against the margin."""

    SLOWER = "slower"  # wholly above +margin (in the direction of "worse")
    FASTER = "faster"  # wholly below -margin
    SAME = "same"  # wholly inside: proven, not assumed
    UNDECIDED = "undecided"  # across an edge of the margin, or there is no interval
    DIFFERENT = "different"  # slower or faster, for metrics without a better direction
    SOMETIMES_SLOWER = "sometimes slower"  # a share of launches or samples only: `Finding`
    SOMETIMES_FASTER = "sometimes faster"
    PLACEMENT = "placement"  # another time for the same code on the same data, placed elsewhere

    @property
    def is_change(self) -> bool:
        """Whether the verdict says that a change of the program changed what was measured."""
        return self not in (Verdict.SAME, Verdict.UNDECIDED, Verdict.PLACEMENT)


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """What one launch measured of one benchmark: one row of a record.

    `values` maps a metric to its inner samples in time order; times are in
    `time_unit`, everything else in the unit `assay.units` gives the metric.
    """

    benchmark: str
    values: dict[str, tuple[float, ...]]
    time_unit: str = "ns"
    iterations: int = 0
    threads: int = 1
    label: str = ""
    side: Side | None = None
    condition: str | None = None  # the condition of `assay overhead` that it was launched under
    round: int | None = None
    launch: int = 0
    position: int | None = None  # 0: first in its round, 1: second
    started_s: float | None = None  # since the session began
    steal: float | None = None  # share of CPU time that the hypervisor took during the launch
    load: float | None = None  # one-minute load average at the start
    cpu: int | None = None  # the CPU it was pinned to
    histograms: dict[str, str] = {}  # by metric: HdrHistogram V2, compressed, base64 (`record.hdr`)
    series: dict[str, dict[str, Any]] = {}  # quantities over time: times `t` and values `v`


def by_benchmark(samples: Iterable[Sample]) -> dict[str, list[Sample]]:
    """The samples of each benchmark; benchmarks in the order they appear."""
    groups: dict[str, list[Sample]] = {}
    for sample in samples:
        rows = groups.get(sample.benchmark)
        if rows is None:
            groups[sample.benchmark] = [sample]
        else:
            rows.append(sample)
    return groups


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A benchmark or target that could not be measured, and how it failed."""

    benchmark: str  # empty when the whole target failed
    what: str
    side: Side | None = None
    round: int | None = None
    target: str = ""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """Samples and the facts around them: one file in the contract's format.

    `context` is Google Benchmark's own (date, num_cpus, caches ...), `facts`
    the `assay` object in it (`assay.facts`). `origin` says where it was read from.
    Facts given as a plain dictionary are checked as those of a file are: raises `InputError`.
    """

    context: dict[str, Any]
    facts: Facts
    samples: tuple[Sample, ...]
    failures: tuple[Failure, ...] = ()
    origin: str = ""

    def __post_init__(self) -> None:
        given: object = self.facts
        if isinstance(given, Mapping):
            msgspec.structs.force_setattr(self, "facts", Facts.read(given, where=self.origin))


class Series(msgspec.Struct, frozen=True, gc=False):
    """One metric of one benchmark on one side.

    `launches` holds the inner samples of each launch, launches in time order;
    ten repetitions in one process are one launch of ten samples.
    """

    benchmark: str
    metric: str
    unit: str
    launches: tuple[tuple[float, ...], ...]


class Pair(msgspec.Struct, frozen=True, gc=False):
    """The two series of one comparison.

    In rounds (INTERLEAVED, DUET) `base.launches[i]` and `candidate.launches[i]`
    belong to one round, and `base_first[i]` says which ran first (DUET: which
    had the first CPU). SEQUENTIAL pairs have no such correspondence and an
    empty `base_first`.
    """

    base: Series
    candidate: Series
    design: Design
    base_first: tuple[bool, ...] = ()
    dropped_rounds: int = 0  # rounds dropped because of steal (decision 23)
    # The autocorrelation from round to round, over the whole session, that was known when each
    # round was measured; NaN: none yet; empty: none was estimated (decision 27).
    autocorrelations: tuple[float, ...] = ()
    # Which of several links of both sides each round took; empty: there was one of each.
    placements: tuple[int, ...] = ()

    @property
    def benchmark(self) -> str:
        return self.base.benchmark

    @property
    def metric(self) -> str:
        return self.base.metric


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of a judgement, fixed before anything is measured."""

    margin: float = defaults.MARGIN  # smallest change worth attention, as a fraction
    alpha: float = defaults.ALPHA  # chance of any false verdict in the whole suite
    # Share of CPU time: more steal on either side drops a round, unless that is usual on the host
    # (decision 23).
    steal_limit: float = 0.10


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A change that the centre of the distribution does not show (decisions 28 and 46).

    `of` is one of
    "launches"  about `share` of all launches are changed by `size` (0.3 is 30 %)
    "samples"   all samples of a launch together are changed by `size`, while its undisturbed ones
                are not; the share of slow samples differs by `share`
    "scatter"   the undisturbed samples became better, but all together did not, because they
                scatter more, by `size` (4 is five times as much)
    """

    of: str
    verdict: Verdict  # SOMETIMES_SLOWER or SOMETIMES_FASTER; of scatter: DIFFERENT
    share: float
    size: float


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """An effect, its interval and its verdict.

    `change`, `low` and `high` are relative to base: 0.05 is 5 % more.
    `low`/`high` are None when there is too little to make an interval of.
    """

    benchmark: str
    metric: str
    unit: str
    base: float
    candidate: float
    change: float
    low: float | None
    high: float | None
    verdict: Verdict
    rounds: int  # rounds used; for sequential pairs the smaller repetition count
    design: Design
    method: Method  # how the interval was made
    p_value: float | None = None  # against "no change at all", not yet adjusted
    lean: Verdict | None = None  # undecided: the verdict that the estimate alone would give
    rounds_needed: int | None = None  # undecided: about how many more would decide
    findable: float | None = None  # the smallest effect that an interval of this width shows
    notes: tuple[Remark, ...] = ()  # drift, autocorrelation, dropped rounds
    findings: tuple[Finding, ...] = ()  # besides the centre; the first one names the verdict
    single: bool = False  # an interval by itself: outside the family, and no gate asks it
    rounds_wanted: int | None = None  # where there is no interval: how many rounds one takes
    noise: float | None = None  # standard deviation of a round's log ratio, robust
    round_s: float | None = None  # seconds that a round of this benchmark takes, both launches
    # Several links a side: the standard deviation of what one pair of them adds to the effect.
    placement_sd: float | None = None
    code: SameCode | None = None  # whether both sides execute the same; None: not compared


class Level(msgspec.Struct, frozen=True, kw_only=True):
    """What one benchmark of a one-sided run takes: medians over launches."""

    benchmark: str
    unit: str
    real: float
    cpu: float | None
    spread: float | None  # interquartile range over the median; None below 3 launches
    launches: int


class Floor(msgspec.Struct, frozen=True, kw_only=True):
    """How much a program differs from itself on this host, for this suite and its judged metrics.

    `effect` is the relative change below which all A/A differences of the suite lie, in rounds;
    `drift` the same for sides measured one after the other. 0.05 is 5 %.
    """

    effect: float
    drift: float
    rounds: int
    benchmarks: int
    source: str  # "cached A/A run of <date>", "this session", "assumed"
    by_benchmark: dict[str, float] = {}  # `effect` of each benchmark alone; empty: not known


class Strength(msgspec.Struct, frozen=True, kw_only=True):
    """What a judgement would have caught, and what it leaves open.

    All are fractions: 0.05 is 5 %. None where nothing can be said.
    """

    every: float | None  # the smallest slowdown it would have caught in every benchmark
    half: float | None  # the smallest slowdown it would have caught in half of the benchmarks
    unjudged: int  # how many of `judged` ended without an interval
    undecided: int
    worst: float | None  # no undecided comparison is slower by more than this
    most: int = 0  # this many of the undecided ...
    most_within: float | None = None  # ... are slower by no more than this
    lacking: dict[Shortage, int] = {}  # how many of the undecided lacked what
    judged: int = 0  # comparisons that `every` and `half` are about: those that vary
    metrics: int = 0  # how many metrics the `judged` comparisons are of
    missing_s: float | None = None  # seconds until the unjudged have intervals; None: not known


class SideFailures(msgspec.Struct, frozen=True, kw_only=True):
    """How many launches of one side failed, and `what` was the most frequent failure."""

    failed: int
    launches: int
    what: str = ""


class FailedLaunches(msgspec.Struct, frozen=True, kw_only=True):
    """The failed launches of a benchmark that was measured nevertheless."""

    benchmark: str
    base: SideFailures
    candidate: SideFailures
    more_often: bool  # the candidate's fail more often, beyond chance: then a gate fails


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """All comparisons made at once, in the order the pairs were given."""

    comparisons: tuple[Comparison, ...]
    settings: Settings
    control: Control  # what is promised about false alarms in the whole suite
    discoveries: tuple[tuple[str, str], ...] = ()  # Benjamini-Hochberg: (benchmark, metric)
    floor: Floor | None = None
    notes: tuple[Remark, ...] = ()
    strength: Strength | None = None
    failed_launches: tuple[FailedLaunches, ...] = ()


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One member of a group at one size: how long it takes, and how threads may use it."""

    member: str
    time: float
    label: str = ""  # "thread-safe", "single-threaded" or nothing


class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """All members doing the same work, the fastest first."""

    size: float | None  # None: the work has no size
    unit: str
    standings: tuple[Standing, ...]
    lead: float | None  # how many times as long the second takes as the fastest
    safety: float | None  # time of the fastest thread-safe one over the fastest single-threaded


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """One operation of a group, under one set of conditions: which member wins at which size."""

    group: str
    operation: str
    case: str  # conditions and arguments but the size: "Threads::One, items 64"
    size_name: str
    contests: tuple[Contest, ...]  # by size
    takes: tuple[tuple[float | None, str], ...]  # (size, member): from this size on take it


class SweepPoint(msgspec.Struct, frozen=True, kw_only=True):
    """Operations a second of one plug-in at one point of a sweep: least, median and most of its
    launches."""

    benchmark: str
    plugin: str
    setting: str  # mix, distribution and sizes: "mixed/zipfian:0.99/8+8"
    threads: int
    operation: str  # "all": all of the mix together
    least: float
    middle: float
    most: float
    launches: int
