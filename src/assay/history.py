"""The values of a history, from the runs in a store to the alerts that somebody reads.

    RunRow, SeriesName, Point     runs, series and their values, as the store's catalogue has them
    Candidate, Change, Segment    what the judge found in one series: all in its `History`
    Trend                         a series, its points and its history
    Confirmation                  what paired rounds of two revisions said of a change
    Alert                         changes that one commit can explain, each a `SeriesChange`
    HistoryReport                 all trends and alerts of a store

Levels are in the unit of the series, changes are ratios, and runs are counted from 0 within
the series. All of it is immutable, and uses no files, clocks or processes.
"""

import hashlib
from dataclasses import dataclass
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
    certainty: float  # 1 less the probability of this evidence in a year without change


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A change as all runs of the history show it; `split` and `certainty` as in `Candidate`."""

    seen_at: int
    split: int
    first: int  # the run before this one surely has the old level
    last: int  # this run surely has the new level
    ratio: float  # new level over old
    low: float  # interval of the ratio
    high: float
    certainty: float


class Segment(msgspec.Struct, frozen=True, kw_only=True):
    """Runs in a row that share a level."""

    first: int
    last: int
    level: float
    low: float  # interval of the level, from the variation between runs
    high: float
    host: str
    drift: float  # factor by which the level drifts from the first to the last run; 1: it does not


class Now(msgspec.Struct, frozen=True, kw_only=True):
    """The level at the newest run, with its interval; None: one run gives no interval."""

    level: float
    low: float | None
    high: float | None


class History(msgspec.Struct, frozen=True, kw_only=True):
    """The history of one series. A change of host begins a segment and is no change."""

    runs: int
    now: Now
    lacking: int = 0  # how many more runs are needed before a change can be found
    segments: tuple[Segment, ...]
    changes: tuple[Change, ...]
    false_candidates_a_year: float  # of a series that does not change, with a run a day

    @property
    def drifts(self) -> bool:
        """Whether any of its segments drifts."""
        return any(segment.drift != 1.0 for segment in self.segments)


class RunRow(NamedTuple):
    """A line of `assay runs`. `problem`: why its file cannot be read; the rest is empty then."""

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
        """The lab that measured it; None: no lab did."""
        return Lab(self.kind) if self.kind in _LABS else None


class Lab(StrEnum):
    """The labs, by the kind of the runs that they store."""

    OVERHEAD = "overhead"
    INDEX = "index"
    CRASH = "crash"
    OS = "os"
    SUITE = "suite"


_LABS = frozenset(Lab)


class Crashes(NamedTuple):
    """What `assay index --crash` counted for one plug-in: how often it was killed, what it lost."""

    run: str
    time_s: float
    host: str
    plugin: str
    values: dict[str, float]  # by metric: kills, lost, torn, ...; real_time is that of reopening


class Conditions(NamedTuple):
    """The conditions under which a run was measured; None: its file does not say."""

    run: str
    time_s: float
    host: str
    kernel: str
    governor: str
    virtualisation: str
    steal: float | None  # share of CPU time that the hypervisor took: mean of the run's samples
    most_steal: float | None
    load: float | None  # mean of the load averages
    failures: int  # launches that failed
    spread: float | None  # of times: half the interquartile range of launches over their median
    floor: float | None  # of a comparison in rounds: a build differs by no more from itself


class Note(NamedTuple):
    """A note of a run: what was remarkable, or not available, while it was measured."""

    run: str
    text: str


class SeriesName(NamedTuple):
    """Which series a history is of; `number` is its number in the catalogue."""

    number: int
    benchmark: str
    metric: str
    unit: str


class Point(NamedTuple):
    """One run's value of one series; `side` is empty except in comparisons.

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


@dataclass(frozen=True)
class Trend:
    """One series and its history."""

    series: SeriesName
    host: str
    points: tuple[Point, ...]
    history: History

    @property
    def name(self) -> tuple[str, str, str]:
        """Its benchmark, metric and class of host."""
        return self.series.benchmark, self.series.metric, self.host

    def before(self, change: Change) -> Point:
        """The last point that is surely before the change."""
        return self.points[change.first - 1]

    def after(self, change: Change) -> Point:
        """The first point that is surely after the change."""
        return self.points[change.last]


class Confirmation(msgspec.Struct, frozen=True, kw_only=True):
    """What paired rounds of two revisions said of one series."""

    benchmark: str
    metric: str
    host: str
    before: str
    after: str
    state: str  # "confirmed", "not reproduced" or "undecided"
    change: float  # by the rounds: 0.05 is 5 % more
    low: float | None = None
    high: float | None = None
    rounds: int = 0

    @property
    def key(self) -> str:
        """A hash of the series and the two revisions, which is the name of its file."""
        words = (self.benchmark, self.metric, self.host, self.before, self.after)
        return hashlib.sha256("\0".join(words).encode()).hexdigest()[:32]


class AlertState(StrEnum):
    """What paired rounds of both revisions said of an alert."""

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


@dataclass(frozen=True)
class SeriesChange:
    """One change of one series."""

    trend: Trend
    change: Change
    confirmation: Confirmation | None

    @property
    def is_worse(self) -> bool | None:
        """Whether it is a change for the worse; None: the metric has no better direction."""
        better = lookup(self.trend.series.metric).better
        if better is Better.NEITHER:
            return None
        return (self.change.ratio > 1) == (better is Better.LOWER)


@dataclass(frozen=True)
class Alert:
    """Changes that one commit can explain, the most certain first."""

    between: Between
    changed: tuple[SeriesChange, ...]
    certainty: float

    @property
    def state(self) -> AlertState:
        """The state of its changes together: confirmed where any is, else undecided where any is,
        then placement, then not reproduced."""
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


@dataclass(frozen=True)
class HistoryReport:
    """Trends, the alerts they give, and runs that cannot be read."""

    trends: tuple[Trend, ...]
    alerts: tuple[Alert, ...]
    unreadable: tuple[RunRow, ...] = ()
