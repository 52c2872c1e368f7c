"""Changes of many series as alerts, each with the two revisions it lies between.

    found = alerting(trends, confirmations)
    found[0].between          # the last revision before it, the first after it

Changes that one commit can explain are one alert. An alert is a candidate until paired rounds
of its two revisions have said whether there is a change: `confirming` measures them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from assay.judge.history.alerts import Located, alerts
from assay.judge.history.values import Change
from assay.record.store.catalogue import Point
from assay.record.store.confirmations import Confirmation, key_of
from assay.units import Better
from assay.units import metric as lookup
from assay.workflows.history.trends import Trend

_Place = tuple[float, str, str]  # of a point on the axis of all revisions


class State(StrEnum):
    """What is known of an alert."""

    CANDIDATE = "candidate"  # not measured yet
    CONFIRMED = "confirmed"  # paired rounds of both revisions show it too
    NOT_REPRODUCED = "not reproduced"  # they show that there is none
    UNDECIDED = "undecided"  # they could not tell


class Between(NamedTuple):
    """Two revisions a change lies between; "" where a run says of no revision."""

    before: str
    after: str

    @property
    def can_be_built(self) -> bool:
        """Whether both are commits, as they were committed."""
        return all(one and not one.endswith("-dirty") for one in self)


@dataclass(frozen=True)
class Changed:
    """One change of one series."""

    trend: Trend
    change: Change
    confirmation: Confirmation | None

    @property
    def is_worse(self) -> bool | None:
        """None: the metric has no better direction."""
        better = lookup(self.trend.series.metric).better
        if better is Better.NEITHER:
            return None
        return (self.change.ratio > 1) == (better is Better.LOWER)


@dataclass(frozen=True)
class Alert:
    """Changes that one commit can explain, the most certain first."""

    between: Between
    changed: tuple[Changed, ...]
    certainty: float

    @property
    def state(self) -> State:
        """Confirmed where one of its changes is; not reproduced where none of them was."""
        known = [one.confirmation.state for one in self.changed if one.confirmation]
        for state in (State.CONFIRMED, State.UNDECIDED, State.NOT_REPRODUCED):
            if state in known:
                return state
        return State.CANDIDATE


def alerting(
    trends: Sequence[Trend], known: Mapping[str, Confirmation] | None = None
) -> tuple[Alert, ...]:
    """The most certain first; `known`: what was confirmed before, by key."""
    changed = [
        Changed(trend, change, (known or {}).get(_key(trend, change)))
        for trend in trends
        for change in trend.history.changes
    ]
    places = _places(trends)
    located = [_located(number, one, places) for number, one in enumerate(changed)]
    return tuple(
        _alert([changed[int(each.series)] for each in together.changes], together.certainty)
        for together in alerts(located)
    )


def _located(number: int, one: Changed, places: Mapping[_Place, int]) -> Located:
    return Located(
        series=str(number),
        first=places[_place(one.trend.before(one.change))] + 1,
        last=places[_place(one.trend.after(one.change))],
        ratio=one.change.ratio,
        certainty=one.change.certainty,
    )


def _places(trends: Iterable[Trend]) -> dict[_Place, int]:
    """All points of all series on one axis."""
    every = {_place(point) for trend in trends for point in trend.points}
    return {place: number for number, place in enumerate(sorted(every))}


def _place(point: Point) -> _Place:
    return point.time_s, point.run, point.side


def _alert(changed: list[Changed], certainty: float) -> Alert:
    """Between the latest revision surely before all of them, and the earliest surely after."""
    before = max([one.trend.before(one.change) for one in changed], key=_place)
    after = min([one.trend.after(one.change) for one in changed], key=_place)
    return Alert(Between(before.revision, after.revision), tuple(changed), certainty)


def _key(trend: Trend, change: Change) -> str:
    return key_of(trend.name, trend.before(change).revision, trend.after(change).revision)
