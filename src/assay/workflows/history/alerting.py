"""Groups changes of many series into alerts, each with the two revisions it lies between.

    found = alerts_of_trends(trends, confirmations)
    found[0].between          # the last revision before it, the first after it

Changes that one commit can explain form one alert. An alert is a candidate until its two revisions
have been measured in paired rounds, which `confirming` does.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from assay.history import Alert, Between, Change, Confirmation, Point, SeriesChange, Trend
from assay.judge.history.alerts import LocatedChange, alerts

# Commit time in seconds, run and side: sorted by these, points are in the order of revisions.
_Place = tuple[float, str, str]


class ChangeEnds(msgspec.Struct, frozen=True):
    """A change of level in one series: the last run before it, the first after it, its
    ratio, and how certain it is.
    """

    before: Point
    after: Point
    ratio: float
    certainty: float


def alerts_of_trends(
    trends: Sequence[Trend], known: Sequence[Confirmation] = ()
) -> tuple[Alert, ...]:
    """The alerts on changes of level in these trends, the most certain first.

    `known` are results of earlier measurements of such changes in rounds.
    """
    changed = [
        SeriesChange(trend, change, confirmation_of(trend, change, known))
        for trend in trends
        for change in trend.history.changes
    ]
    return tuple(
        _alert([changed[number] for number in numbers], changed[numbers[0]].change.certainty)
        for numbers in groups_by_common_cause([_ends(one) for one in changed])
    )


def groups_by_common_cause(changes: Sequence[ChangeEnds]) -> list[list[int]]:
    """Groups of changes of level that one commit can explain, the most certain first.

    Each group is a list of indexes into `changes`.
    """
    places = _places(changes)
    located = [_located(number, one, places) for number, one in enumerate(changes)]
    return [[int(each.series) for each in together.changes] for together in alerts(located)]


def _ends(one: SeriesChange) -> ChangeEnds:
    before, after = one.trend.last_point_before(one.change), one.trend.first_point_after(one.change)
    return ChangeEnds(before, after, one.change.ratio, one.change.certainty)


def _located(number: int, one: ChangeEnds, places: Mapping[_Place, int]) -> LocatedChange:
    return LocatedChange(
        series=str(number),
        first=places[_place(one.before)] + 1,
        last=places[_place(one.after)],
        ratio=one.ratio,
        certainty=one.certainty,
    )


def _places(changes: Iterable[ChangeEnds]) -> dict[_Place, int]:
    """Numbers the last run before and the first run after each change,
    in the order of revisions.
    """
    every = {_place(point) for one in changes for point in (one.before, one.after)}
    return {place: number for number, place in enumerate(sorted(every))}


def _place(point: Point) -> _Place:
    return point.time_s, point.run, point.side


def _alert(changed: list[SeriesChange], certainty: float) -> Alert:
    """An alert for changes that one commit can explain.

    It lies between the latest of the last runs before them and the earliest of the first runs after
    them.
    """
    before = max([one.trend.last_point_before(one.change) for one in changed], key=_place)
    after = min([one.trend.first_point_after(one.change) for one in changed], key=_place)
    return Alert(Between(before.revision, after.revision), tuple(changed), certainty)


def confirmation_of(
    trend: Trend, change: Change, known: Sequence[Confirmation]
) -> Confirmation | None:
    """The result of measuring this change in rounds earlier; None if it never was.

    Later runs may have moved the change a little, so runs that overlap it are enough.
    """
    place = {point.revision: number for number, point in enumerate(trend.points)}
    for one in known:
        if (one.benchmark, one.metric, one.host) == trend.name:
            before, after = place.get(one.before, change.last), place.get(one.after, -1)
            if before < change.last and change.first <= after:
                return one
    return None
