"""The one small model that measure, record, judge and show meet in.

    Sample      what one launch measured of one benchmark
    Record      samples, the facts around them, and what failed
    Series      one metric of one benchmark on one side: numbers only
    Pair        the two series a comparison is made of
    Comparison  an effect with its interval and its verdict
    Judgement   all comparisons made at once, and the rules they were made by
    Choice      which member of a suite's group to take, at each size

Everything here is immutable and knows no files, clocks or processes. Numbers
are in the unit named beside them; "which way is better" is not stored but
looked up in `assay.units`.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

import msgspec

from assay import defaults
from assay.facts import Facts
from assay.same_code import SameCode


class Side(StrEnum):
    """Which of the two targets of a comparison."""

    BASE = "base"
    CANDIDATE = "candidate"


class Design(StrEnum):
    """How the launches of a pair lay in time; decides what may be concluded."""

    INTERLEAVED = "interleaved"  # rounds: one launch of each side, random order
    DUET = "duet"  # rounds: both sides at once on two CPUs, swapped each round
    SEQUENTIAL = "sequential"  # one side measured after the other


class Verdict(StrEnum):
    """Where the interval of the effect lies against the margin."""

    SLOWER = "slower"  # wholly above +margin (in the direction of "worse")
    FASTER = "faster"  # wholly below -margin
    SAME = "same"  # wholly inside: proven, not assumed
    UNDECIDED = "undecided"  # across an edge, or no interval at all
    DIFFERENT = "different"  # as slower/faster, for metrics without a "better"
    SOMETIMES_SLOWER = "sometimes slower"  # the centre is not, but a share of it is: `Finding`
    SOMETIMES_FASTER = "sometimes faster"
    PLACEMENT = "placement"  # another time for the same code on the same data, placed elsewhere

    @property
    def is_change(self) -> bool:
        """Of what was measured, and so of what somebody wrote."""
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
    condition: str | None = None  # what it was launched under: `assay overhead`
    round: int | None = None
    launch: int = 0
    position: int | None = None  # 0: first in its round, 1: second
    started_s: float | None = None  # since the session began
    steal: float | None = None  # share of CPU time the hypervisor took meanwhile
    load: float | None = None  # one-minute load average at the start
    cpu: int | None = None  # the CPU it was pinned to
    histograms: dict[str, str] = {}  # HdrHistogram V2, compressed, base64
    series: dict[str, dict[str, Any]] = {}


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
    """A benchmark or target that could not be measured, and what it did."""

    benchmark: str  # empty when the whole target failed
    what: str
    side: Side | None = None
    round: int | None = None
    target: str = ""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """Samples and the facts around them: one file in the contract's format.

    `context` is Google Benchmark's own (date, num_cpus, caches ...), `facts`
    the `assay` object in it (`assay.facts`). `origin` says where it was read from.
    Facts given as plain keys are read as those of a file are: none comes in unchecked.
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
    dropped_rounds: int = 0  # by the steal rule, fixed beforehand
    # The echo (autocorrelation from round to round, of the whole session) that was known when
    # each round was measured; empty: none was estimated.
    echoes: tuple[float, ...] = ()
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
    steal_limit: float = 0.10  # more steal on either side drops a round, unless usual here


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A change that the centre of the distribution does not show.

    `of` is "launches": about `share` of all launches are changed by `size` (0.3 is 30 %);
    or "samples": all samples of a launch together, its slow ones included, are changed by
    `size`, while its undisturbed ones are not (`share` of the samples are slow); or "scatter":
    the undisturbed samples became better and all together did not, for they scatter more, by
    `size` (4 is five times as much).
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
    method: str  # how the interval was made, in words
    p_value: float | None = None  # against "no change at all", not yet adjusted
    lean: Verdict | None = None  # undecided: what it looks like so far
    rounds_needed: int | None = None  # undecided: about how many more would decide
    findable: float | None = None  # smallest effect findable with what there is
    notes: tuple[str, ...] = ()  # drift, autocorrelation, dropped rounds: in words
    findings: tuple[Finding, ...] = ()  # beside the centre; the first one names the verdict
    single: bool = False  # an interval by itself: outside the family, and no gate asks it
    rounds_wanted: int | None = None  # without an interval: how many rounds make one
    noise: float | None = None  # of one round: the standard deviation of its log ratio, robust
    round_s: float | None = None  # what one round of this benchmark takes, both launches
    # Several links a side: the standard deviation of what one pair of them adds to the effect.
    placement_sd: float | None = None
    code: SameCode | None = None  # whether both sides execute the same; None: not looked at


class Level(msgspec.Struct, frozen=True, kw_only=True):
    """What one benchmark of a one-sided run takes: medians over launches."""

    benchmark: str
    unit: str
    real: float
    cpu: float | None
    spread: float | None  # interquartile range over the median; None below 3 launches
    launches: int


class Floor(msgspec.Struct, frozen=True, kw_only=True):
    """What A against A shows on this host for this suite, in the metrics that are judged.

    `effect` is the change below which A/A differences lie (per comparison,
    suite-wide level); `drift` the same for sides measured one after the other.
    """

    effect: float
    drift: float
    rounds: int
    benchmarks: int
    source: str  # "cached A/A run of <date>", "this session", "assumed"
    by_benchmark: dict[str, float] = {}  # the same as `effect`; empty: not known for each


class Strength(msgspec.Struct, frozen=True, kw_only=True):
    """What a judgement would have caught, and what it leaves open.

    All are fractions: 0.05 is 5 %. None where nothing can be said.
    """

    every: float | None  # the smallest slowdown it would have caught in every benchmark
    half: float | None  # ... and in half of them
    unjudged: int  # of `judged`, those that ended without an interval
    undecided: int
    worst: float | None  # no undecided one is slower by more than this
    most: int = 0  # so many of the undecided ...
    most_within: float | None = None  # ... are slower by no more than this
    lacking: dict[str, int] = {}  # how many undecided for want of "time", "precision", ...
    judged: int = 0  # comparisons that `every` and `half` are about: those that vary
    metrics: int = 0  # how many metrics those are of
    missing_s: float | None = None  # that intervals for the unjudged would take; None: not known


class SideFailures(msgspec.Struct, frozen=True, kw_only=True):
    """How many launches of one side failed, and what they did most often."""

    failed: int
    launches: int
    what: str = ""


class FailedLaunches(msgspec.Struct, frozen=True, kw_only=True):
    """Launches that failed of a benchmark that was measured on."""

    benchmark: str
    base: SideFailures
    candidate: SideFailures
    more_often: bool  # the candidate's, beyond chance: a finding, and a gate fails


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """All comparisons made at once, in the order the pairs were given."""

    comparisons: tuple[Comparison, ...]
    settings: Settings
    control: str  # the suite-wide error control, in words
    discoveries: tuple[tuple[str, str], ...] = ()  # Benjamini-Hochberg: (benchmark, metric)
    floor: Floor | None = None
    notes: tuple[str, ...] = ()
    strength: Strength | None = None
    failed_launches: tuple[FailedLaunches, ...] = ()


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One member of a group at one size: how long it takes, what threads may do with it."""

    member: str
    time: float
    label: str = ""  # "thread-safe", "single-threaded" or nothing


class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """All members doing the same work, the fastest first."""

    size: float | None  # None: the work has no size
    unit: str
    standings: tuple[Standing, ...]
    lead: float | None  # of the fastest: the next takes so many times as long
    safety: float | None  # fastest thread-safe over fastest single-threaded


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """One operation of a group, under one set of conditions: who wins at which size."""

    group: str
    operation: str
    case: str  # conditions and arguments but the size: "Threads::One, items 64"
    size_name: str
    contests: tuple[Contest, ...]  # by size
    takes: tuple[tuple[float | None, str], ...]  # from this size on take that member


class SweepPoint(msgspec.Struct, frozen=True, kw_only=True):
    """Operations a second of one plug-in at one point of a sweep, over its launches."""

    benchmark: str
    plugin: str
    setting: str  # mix, distribution and sizes: "mixed/zipfian:0.99/8+8"
    threads: int
    operation: str  # "all": all of the mix together
    least: float
    middle: float
    most: float
    launches: int
