"""Changes of many series as alerts, each with the two revisions it lies between.

    found = alerting(trends, confirmations)
    found[0].between          # the last revision before it, the first after it

Changes that one commit can explain are one alert. An alert is a candidate until paired rounds
of its two revisions have said whether there is a change: `confirming` measures them.
"""

from collections.abc import Iterable, Mapping, Sequence

from assay.history import Alert, Between, Change, Changed, Confirmation, Point, Trend
from assay.judge.history.alerts import Located, alerts

_Place = tuple[float, str, str]  # of a point on the axis of all revisions


def alerting(trends: Sequence[Trend], known: Sequence[Confirmation] = ()) -> tuple[Alert, ...]:
    """The most certain first; `known`: what was confirmed before."""
    changed = [
        Changed(trend, change, _confirmation_of(trend, change, known))
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


def _confirmation_of(
    trend: Trend, change: Change, known: Sequence[Confirmation]
) -> Confirmation | None:
    """What was measured of it. Runs made since may have moved its ends a little."""
    place = {point.revision: number for number, point in enumerate(trend.points)}
    for one in known:
        if (one.benchmark, one.metric, one.host) == trend.name:
            before, after = place.get(one.before, change.last), place.get(one.after, -1)
            if before < change.last and change.first <= after:
                return one
    return None
