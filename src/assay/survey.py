"""What pages show of a whole store: a summary of every series, and every change that was found.

    Kept          the summary of one series on one class of host: made when a run is stored
    Watched       a series as a row of a list
    Found         a change as a row of a list, with the revisions between which it lies
    Triage        what somebody said of a change: expected, to do, fixed by a revision
    Survey        the whole store, for all pages at one moment
    Looked        one benchmark on all its hosts, with every run

All of it is immutable, and uses no files, clocks or processes.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import msgspec

from assay.answers import AnswerHead, WhyQuestion
from assay.history import (
    AlertState,
    Change,
    Conditions,
    Confirmation,
    Crashes,
    History,
    Note,
    Point,
    RunRow,
)
from assay.keys import key_of
from assay.searched import KeptSearch
from assay.units import Better
from assay.units import metric as lookup


class SeriesKey(NamedTuple):
    """Which series on which class of host."""

    benchmark: str
    metric: str
    unit: str
    host: str


class SeriesSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary of one series that lists need, so that no list reads points."""

    fingerprint: str  # a hash of the points that the summary was made of
    history: History
    line: str  # the whole history as a line chart of 24 characters
    latest_s: float  # when the newest revision was committed
    ends: tuple[tuple[Point, Point], ...]  # for each change: the points surely before and after it
    confirmations: tuple[Confirmation | None, ...]  # of each change; None: not measured again


class TriageState(StrEnum):
    """What a user can say of a change on its page."""

    EXPECTED = "expected"
    TO_DO = "to do"
    FIXED = "fixed by"


class Triage(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody said of one change of one series, and between which two runs it lay then.

    Later runs may move the ends of a change a little: changes that overlap count as the same.
    """

    benchmark: str
    metric: str
    host: str
    before: str  # the name of a run, as is `after`
    after: str
    before_s: float  # when their revisions were committed
    after_s: float
    state: TriageState
    note: str = ""  # of "fixed by": the revision
    said_s: float = 0.0  # seconds since 1970

    @property
    def key(self) -> str:
        """A hash of the change, which is the name of its file."""
        return key_of(self.benchmark, self.metric, self.host, self.before, self.after)


@dataclass(frozen=True)
class SeriesOnHost:
    """A series on one class of host."""

    key: SeriesKey
    kept: SeriesSummary

    @property
    def page(self) -> str:
        """The name of its page, which is the same on other hosts."""
        return page_key(self.key.benchmark, self.key.metric, self.key.unit)


@dataclass(frozen=True)
class FoundChange:
    """One change of one series; changes that one commit can explain have the same `alert`."""

    watched: SeriesOnHost
    change: Change
    before: Point
    after: Point
    confirmation: Confirmation | None
    alert: int
    triage: Triage | None = None

    @property
    def key(self) -> str:
        one = self.watched.key
        return key_of(one.benchmark, one.metric, one.host, self.before.run, self.after.run)

    @property
    def asked(self) -> WhyQuestion:
        """The question to `assay why` whose answer explains it."""
        return WhyQuestion(self.watched.key.benchmark, self.before.run, self.after.run)

    @property
    def state(self) -> AlertState:
        return AlertState(self.confirmation.state) if self.confirmation else AlertState.CANDIDATE

    @property
    def is_worse(self) -> bool | None:
        """Whether it is a change for the worse; None: the metric has no better direction."""
        better = lookup(self.watched.key.metric).better
        if better is Better.NEITHER:
            return None
        return (self.change.ratio > 1) == (better is Better.LOWER)


@dataclass(frozen=True)
class Survey:
    """A whole store at one moment."""

    runs: tuple[RunRow, ...]  # the oldest first
    labels: dict[str, str]
    watched: tuple[SeriesOnHost, ...]
    found: tuple[FoundChange, ...]  # the most certain first, then the largest
    answers: tuple[AnswerHead, ...] = ()  # of `assay why`, the newest first
    conditions: tuple[Conditions, ...] = ()  # of all runs, the oldest first
    notes: tuple[Note, ...] = ()
    searches: tuple[KeptSearch, ...] = ()  # of `assay bisect`, the newest first
    crashes: tuple[Crashes, ...] = ()  # the oldest first


@dataclass(frozen=True)
class BenchmarkOnHost:
    """One benchmark on one class of host, with every run."""

    watched: SeriesOnHost
    points: tuple[Point, ...]
    found: tuple[FoundChange, ...]  # in the order of the runs


@dataclass(frozen=True)
class BenchmarkOnHosts:
    """One benchmark, on all its hosts."""

    hosts: tuple[BenchmarkOnHost, ...]
    metrics: tuple[SeriesOnHost, ...]  # its histories, one of each metric
    family: tuple[
        SeriesOnHost, ...
    ]  # on the first host: this benchmark, and it with other parameters


def page_key(benchmark: str, metric: str, unit: str) -> str:
    """The name of the page of a series, on all classes of host."""
    return key_of(benchmark, metric, unit)[:16]
