"""What pages show of a whole store: a summary of every series, and every change that was found.

    SeriesSummary       one series on one class of host, summarised when a run is stored
    SeriesOnHost        a series as a row of a list
    FoundChange         a change as a row of a list, with the points before and after it
    Triage              a user's decision on a change: expected, to do, fixed by a revision
    Survey              the whole store, for all pages at one moment
    BenchmarkOnHosts    one benchmark on all its hosts, with every run

All of it is immutable, and uses no files, clocks or processes.
"""

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
    """Names a series on one class of host."""

    benchmark: str
    metric: str
    unit: str
    host: str


class SeriesSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A series as lists show it: its history and its last values, so that no list reads all
    points."""

    fingerprint: str  # a hash of the points that the summary was made of
    history: History
    line: str  # a line chart of the whole history, drawn with 24 characters
    latest_s: float  # when the newest revision was committed, in seconds since 1970
    ends: tuple[tuple[Point, Point], ...]  # for each change: the points surely before and after it
    # The result of measuring each change side by side; None: it was not measured so.
    confirmations: tuple[Confirmation | None, ...]


class TriageState(StrEnum):
    """The decisions on a change that a user can choose from on its page."""

    EXPECTED = "expected"
    TO_DO = "to do"
    FIXED = "fixed by"


class Triage(msgspec.Struct, frozen=True, kw_only=True):
    """A user's decision on one change of one series, and the two runs that it then lay between.

    Later runs may move the ends of a change a little: changes that overlap count as the same.
    """

    benchmark: str
    metric: str
    host: str
    before: str  # the name of a run, as is `after`
    after: str
    before_s: float  # when the revision of `before` was committed, in seconds since 1970
    after_s: float  # when that of `after` was committed
    state: TriageState
    note: str = ""  # of "fixed by": the revision that fixed it
    said_s: float = 0.0  # when the user decided, in seconds since 1970

    @property
    def key(self) -> str:
        """A hash of the change, which is the name of its file."""
        return key_of(self.benchmark, self.metric, self.host, self.before, self.after)


class SeriesOnHost(msgspec.Struct, frozen=True):
    """One series on one class of host, as a row of a list."""

    key: SeriesKey
    kept: SeriesSummary

    @property
    def page(self) -> str:
        """The name of the series' page, which is the same on other hosts."""
        return page_key(self.key.benchmark, self.key.metric, self.key.unit)


class FoundChange(msgspec.Struct, frozen=True):
    """A change found in one series, as a row of a list. Changes that one commit can explain have
    the same number `alert`."""

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
    def why_question(self) -> WhyQuestion:
        """The question to `assay why` whose answer would explain this change."""
        return WhyQuestion(self.watched.key.benchmark, self.before.run, self.after.run)

    @property
    def state(self) -> AlertState:
        return AlertState(self.confirmation.state) if self.confirmation else AlertState.CANDIDATE

    @property
    def is_worse(self) -> bool | None:
        """Whether the change is for the worse; None: the metric has no better direction."""
        better = lookup(self.watched.key.metric).better
        if better is Better.NEITHER:
            return None
        return (self.change.ratio > 1) == (better is Better.LOWER)


class Survey(msgspec.Struct, frozen=True):
    """Everything that pages show of a store, read at one moment."""

    runs: tuple[RunRow, ...]  # the oldest first
    labels: dict[str, str]  # by label: the name of the run that has it
    watched: tuple[SeriesOnHost, ...]
    found: tuple[FoundChange, ...]  # the most certain first, then the largest
    answers: tuple[AnswerHead, ...] = ()  # heads of the answers of `assay why`, the newest first
    conditions: tuple[Conditions, ...] = ()  # under which runs were measured, the oldest run first
    notes: tuple[Note, ...] = ()
    searches: tuple[KeptSearch, ...] = ()  # by `assay bisect`, the newest first
    crashes: tuple[Crashes, ...] = ()  # of `assay index --crash`, the oldest first


class BenchmarkOnHost(msgspec.Struct, frozen=True):
    """One benchmark on one class of host, with a point for every run."""

    watched: SeriesOnHost
    points: tuple[Point, ...]
    found: tuple[FoundChange, ...]  # in the order of the runs


class BenchmarkOnHosts(msgspec.Struct, frozen=True):
    """One benchmark on all classes of host that have measured it."""

    hosts: tuple[BenchmarkOnHost, ...]
    metrics: tuple[SeriesOnHost, ...]  # its series on the page, one for each metric
    # These are series on the first host: of this benchmark, also with other parameters.
    family: tuple[SeriesOnHost, ...]


def page_key(benchmark: str, metric: str, unit: str) -> str:
    """The name of the page of a series, for all classes of host."""
    return key_of(benchmark, metric, unit)[:16]
