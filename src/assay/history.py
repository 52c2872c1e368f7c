"""The values of a history, from the runs in a store to the alerts that somebody reads.

    RunRow, SeriesName, Point     runs, series and their values, as the store's catalogue has them
    Candidate, Change, Segment    what the judge found in one series: all in its `History`
    Trend                         a series, its points and its history
    Confirmation                  verdict of paired rounds of two revisions on a change
    Alert                         changes that one commit can explain, each a `SeriesChange`
    HistoryReport                 all trends and alerts of a store

Levels are in the unit of the series, changes are ratios, and runs are counted from 0 within
the series. All of it is immutable, and uses no files, clocks or processes.
"""

import hashlib
from enum import StrEnum
from typing import NamedTuple

import msgspec

from assay.units import Better
from assay.units import metric as lookup


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A change as it is first seen; it is not reported before paired rounds confirm it."""

    seen_at: int  # the run that gave enough evidence
    split: int  # the likeliest first run of the new level
    first: int  # the earliest run that may be the first of the new level
    last: int  # the latest run that may be the first of the new level
    ratio: float  # new level over old
    certainty: float  # 1 less the probability that a year without a change gives such evidence


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A change of level as all runs of the history show it; `certainty` is as in `Candidate`.

    Runs are numbered from 0 within the series.
    """

    seen_at: int  # the run that gave enough evidence
    split: int  # the likeliest first run of the new level
    first: int  # the run before this one surely has the old level
    last: int  # this run surely has the new level
    ratio: float  # new level over old
    low: float  # confidence interval of `ratio`, up to `high`
    high: float
    certainty: float


class Segment(msgspec.Struct, frozen=True, kw_only=True):
    """Consecutive runs of a history that share a level."""

    first: int
    last: int
    level: float
    low: float  # confidence interval of the level, from the variation between runs
    high: float
    host: str
    drift: float  # level at the last run over that at the first; 1: it does not drift


class Now(msgspec.Struct, frozen=True, kw_only=True):
    """The level of a series at its newest run, and its interval; None: there is only one run."""

    level: float
    low: float | None
    high: float | None


class History(msgspec.Struct, frozen=True, kw_only=True):
    """What was found in one series: segments of equal level and the changes between them. Another
    host begins a segment, which is no change."""

    runs: int
    now: Now
    lacking: int = 0  # how many more runs are needed before a change can be found
    segments: tuple[Segment, ...]
    changes: tuple[Change, ...]
    false_candidates_a_year: float  # expected in a series without changes, at one run a day

    @property
    def drifts(self) -> bool:
        """Whether the level drifts within any of the segments."""
        return any(segment.drift != 1.0 for segment in self.segments)


class RunRow(msgspec.Struct, frozen=True, array_like=True):
    """One stored run, as `assay runs` lists it. `problem` says why its file cannot be read; then
    only `run` is set."""

    run: str
    problem: str
    time_s: float
    host: str
    revision: str
    suite: str
    kind: str
    target: str
    benchmarks: int
    samples: int
    bytes: int

    @property
    def lab(self) -> "Lab | None":
        """The lab of Assay that measured the run; None: none did."""
        return Lab(self.kind) if self.kind in _LABS else None


class Lab(StrEnum):
    """Assay's labs; the values are the kinds of the runs that they store."""

    OVERHEAD = "overhead"
    INDEX = "index"
    CRASH = "crash"
    OS = "os"
    SUITE = "suite"


_LABS = frozenset(Lab)


class Crashes(msgspec.Struct, frozen=True):
    """What `assay index --crash` counted for one plug-in: how often it was killed, what it lost."""

    run: str
    time_s: float
    host: str
    plugin: str
    values: dict[str, float]  # by metric: kills, lost, torn, ...; real_time is that of reopening


class Conditions(msgspec.Struct, frozen=True, array_like=True):
    """Kernel, governor, steal, load and so on while a run was measured; None: its file does not
    say."""

    run: str
    time_s: float
    host: str
    kernel: str
    governor: str
    virtualisation: str
    steal: float | None  # share of CPU time that the hypervisor took: mean of the run's samples
    most_steal: float | None  # largest steal of any of the run's samples
    load: float | None  # mean of the one-minute load averages at the starts of launches
    failures: int  # how many launches failed
    spread: float | None  # of times: half the interquartile range of launches over their median
    floor: float | None  # largest relative difference of a build from itself, if measured in rounds


class Note(msgspec.Struct, frozen=True, array_like=True):
    """A note that a run's session made: what was remarkable, or not available, while it
    measured."""

    run: str
    text: str


class SeriesName(NamedTuple):
    """What a series measures: metric and unit of one benchmark. `number` is its key in the
    catalogue."""

    number: int
    benchmark: str
    metric: str
    unit: str


class Point(msgspec.Struct, frozen=True, array_like=True):
    """What one run measured of one series; `side` is empty unless the run is a comparison.

    `time_s` is when its revision was committed; of an unknown revision, when it was measured.
    """

    run: str
    time_s: float
    host: str
    suite: str
    revision: str
    side: str
    value: float
    low: float
    high: float
    launches: int


class Trend(msgspec.Struct, frozen=True):
    """One series on one class of host: its runs in order and the changes found among them."""

    series: SeriesName
    host: str
    points: tuple[Point, ...]
    history: History

    @property
    def name(self) -> tuple[str, str, str]:
        """Benchmark, metric and class of host of the series."""
        return self.series.benchmark, self.series.metric, self.host

    def last_point_before(self, change: Change) -> Point:
        """The last point that is surely before the change."""
        return self.points[change.first - 1]

    def first_point_after(self, change: Change) -> Point:
        """The first point that is surely after the change."""
        return self.points[change.last]


class Confirmation(msgspec.Struct, frozen=True, kw_only=True):
    """The result of measuring two revisions side by side, to check a change seen in one series."""

    benchmark: str
    metric: str
    host: str
    before: str
    after: str
    state: str  # "confirmed", "not reproduced" or "undecided"
    change: float  # relative change by these rounds: 0.05 is 5 % more
    low: float | None = None  # confidence interval of `change`; None: too few rounds
    high: float | None = None
    rounds: int = 0

    @property
    def key(self) -> str:
        """A hash of the series and the two revisions, which is the name of its file."""
        words = (self.benchmark, self.metric, self.host, self.before, self.after)
        return hashlib.sha256("\0".join(words).encode()).hexdigest()[:32]


class AlertState(StrEnum):
    """What measuring both revisions of an alert side by side has shown."""

    CANDIDATE = "candidate"  # no paired rounds were measured yet
    CONFIRMED = "confirmed"  # paired rounds show the change too
    NOT_REPRODUCED = "not reproduced"  # paired rounds show that there is no change
    PLACEMENT = "placement"  # both revisions execute the same machine code: no alert
    UNDECIDED = "undecided"  # paired rounds did not decide it


class Between(NamedTuple):
    """The two revisions between which a change lies; empty where a run has no revision."""

    before: str
    after: str

    @property
    def can_be_built(self) -> bool:
        """Whether both are commits, without uncommitted changes."""
        return all(one and not one.endswith("-dirty") for one in self)


class SeriesChange(msgspec.Struct, frozen=True):
    """One change of level in one series, and the paired rounds that checked it (None: none did)."""

    trend: Trend
    change: Change
    confirmation: Confirmation | None

    @property
    def is_worse(self) -> bool | None:
        """Whether the change is for the worse; None: the metric has no better direction."""
        better = lookup(self.trend.series.metric).better
        if better is Better.NEITHER:
            return None
        return (self.change.ratio > 1) == (better is Better.LOWER)


class Alert(msgspec.Struct, frozen=True):
    """Changes of several series between the same two revisions, which one commit can explain.

    The most certain change comes first.
    """

    between: Between
    changed: tuple[SeriesChange, ...]
    certainty: float

    @property
    def state(self) -> AlertState:
        """What measuring side by side showed of these changes together: confirmed where any is,
        else undecided where any is, then placement, then not reproduced."""
        known = [one.confirmation.state for one in self.changed if one.confirmation]
        for state in (
            AlertState.CONFIRMED,
            AlertState.UNDECIDED,
            AlertState.PLACEMENT,
            AlertState.NOT_REPRODUCED,
        ):
            if state in known:
                return state
        return AlertState.CANDIDATE


class HistoryReport(msgspec.Struct, frozen=True):
    """What `assay history` reports: all series, their alerts, and stored runs that cannot be
    read."""

    trends: tuple[Trend, ...]
    alerts: tuple[Alert, ...]
    unreadable: tuple[RunRow, ...] = ()
