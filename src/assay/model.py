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
    """Which of the two targets of a comparison: the base or the candidate."""

    BASE = "base"
    CANDIDATE = "candidate"


class Design(StrEnum):
    """How the launches of both sides followed each other, which decides what may be concluded."""

    INTERLEAVED = "interleaved"  # rounds: one launch of each side, random order
    DUET = "duet"  # rounds: both sides at once on two CPUs, swapped each round
    SEQUENTIAL = "sequential"  # one side measured after the other


class Verdict(StrEnum):
    """Where the interval of the effect lies against the margin."""

    SLOWER = "slower"  # the interval lies wholly above +margin (in the direction of "worse")
    FASTER = "faster"  # the interval lies wholly below -margin
    SAME = "same"  # the interval lies wholly inside the margin: proven, not assumed
    UNDECIDED = "undecided"  # the interval lies across an edge of the margin, or there is none
    DIFFERENT = "different"  # slower or faster, for metrics without a better direction
    SOMETIMES_SLOWER = "sometimes slower"  # some launches or samples only: see `Finding`
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
    position: int | None = None  # order within its round: 0 ran first, 1 second
    started_s: float | None = None  # seconds from the session's begin to that of the launch
    steal: float | None = None  # share of CPU time that the hypervisor took during the launch
    load: float | None = None  # one-minute load average at the start
    cpu: int | None = None  # number of the CPU that the launch was pinned to
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
    """A benchmark or target that failed, and how."""

    benchmark: str  # empty: the whole target failed
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
    share: float  # a fraction, whose meaning depends on `of`
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
    p_value: float | None = None  # of "no change at all", before adjusting for the family
    lean: Verdict | None = None  # the verdict by the estimate alone; None: it is decided
    # About how many more rounds would decide an undecided comparison.
    rounds_needed: int | None = None
    findable: float | None = None  # the smallest effect that an interval of this width shows
    notes: tuple[Remark, ...] = ()  # remarks on drift, autocorrelation, dropped rounds
    # Changes that the centre hides; the first one decides the verdict.
    findings: tuple[Finding, ...] = ()
    single: bool = False  # an interval judged by itself: outside the family, and no gate counts it
    rounds_wanted: int | None = None  # rounds needed for an interval, where there is none yet
    noise: float | None = None  # robust standard deviation of the rounds' log ratios
    # Seconds that a round of this benchmark takes: a launch of each side.
    round_s: float | None = None
    # Where each side was linked several times: by how much the effect differs from one pair of
    # links to another (standard deviation).
    placement_sd: float | None = None
    code: SameCode | None = None  # whether both sides execute the same code; None: not compared


class Level(msgspec.Struct, frozen=True, kw_only=True):
    """The times of one benchmark of a run without a second side: medians over its launches."""

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
    """How small a slowdown a judgement would have caught, and how large one it may have missed.

    All are fractions: 0.05 is 5 %. None where nothing can be said.
    """

    every: float | None  # the smallest slowdown it would have caught in every benchmark
    half: float | None  # the smallest slowdown it would have caught in half of the benchmarks
    unjudged: int  # how many of the `judged` comparisons ended without an interval
    undecided: int  # how many comparisons have an interval across an edge of the margin
    worst: float | None  # no undecided comparison is slower by more than this
    most: int = 0  # how many undecided comparisons `most_within` is about
    most_within: float | None = None  # `most` of the undecided are slower by no more than this
    lacking: dict[Shortage, int] = {}  # how many undecided comparisons lacked what most
    judged: int = 0  # how many comparisons `every` and `half` are about: those that vary
    metrics: int = 0  # how many metrics the `judged` comparisons have
    missing_s: float | None = None  # seconds until all have intervals; None: not known


class SideFailures(msgspec.Struct, frozen=True, kw_only=True):
    """How many launches of one side failed; `what` is the failure that was most frequent."""

    failed: int
    launches: int
    what: str = ""


class FailedLaunches(msgspec.Struct, frozen=True, kw_only=True):
    """The failed launches of a benchmark that was measured nevertheless."""

    benchmark: str
    base: SideFailures
    candidate: SideFailures
    more_often: bool  # the candidate's launches fail more often, beyond chance: a gate fails


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """All comparisons that were judged together, in the order in which their pairs were given."""

    comparisons: tuple[Comparison, ...]
    settings: Settings
    control: Control  # what is promised about false alarms in the whole suite
    # (benchmark, metric) that a Benjamini-Hochberg procedure would call changed.
    discoveries: tuple[tuple[str, str], ...] = ()
    floor: Floor | None = None
    notes: tuple[Remark, ...] = ()
    strength: Strength | None = None
    failed_launches: tuple[FailedLaunches, ...] = ()


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """The time of one alternative (one kind of queue, say) at one size of a suite's group."""

    member: str
    time: float  # ns
    label: str = ""  # how threads may use it: "thread-safe", "single-threaded"; empty: not stated


class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """The alternatives of a group that do the same work at one size, the fastest first."""

    size: float | None  # None: the work has no size
    unit: str
    standings: tuple[Standing, ...]
    lead: float | None  # time of the second over that of the fastest
    safety: float | None  # time of the fastest thread-safe one over the fastest single-threaded


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """Which alternative of a suite's group to take for one operation, at each size."""

    group: str
    operation: str
    case: str  # conditions and arguments but the size: "Threads::One, items 64"
    size_name: str
    contests: tuple[Contest, ...]  # one for each size, the smallest first
    takes: tuple[tuple[float | None, str], ...]  # (size, the alternative to take from it on)


class SweepPoint(msgspec.Struct, frozen=True, kw_only=True):
    """Operations a second of one plug-in with one setting of an index sweep: least, median and most
    of its launches."""

    benchmark: str
    plugin: str
    setting: str  # mix, distribution and sizes: "mixed/zipfian:0.99/8+8"
    threads: int
    operation: str  # "read", say; "all": all operations of the mix together
    least: float
    middle: float
    most: float
    launches: int
