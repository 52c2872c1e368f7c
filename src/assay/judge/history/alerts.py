"""Changes of many series that one cause can explain become one alert: alerts(changes).

Changes can have one cause when there is a revision (or run) at which all of them may have begun.
The most certain change begins an alert, and takes in others as long as such a revision is left. One
commit may make some series slower and others faster: an alert holds changes of both directions.
"""

from collections.abc import Iterable

import msgspec

from assay.judge.history.detector import FALSE_A_YEAR

# Chance of any false alert in a year, over all series watched (decision 33).
ANY_FALSE_A_YEAR = 0.05


class LocatedChange(msgspec.Struct, frozen=True, kw_only=True):
    """A change of level of one series, located among the revisions (or runs) of all series."""

    series: str
    first: int  # number of the earliest revision (or run) at which the new level may begin
    last: int  # number of the latest revision (or run) at which it may begin
    ratio: float  # new level over old
    certainty: float  # 1 less the probability of this evidence in a year without change


class AlertGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of several series that may all have begun at one revision (or run): one alert.

    That lies between `first` and `last`; the most certain change comes first.
    """

    first: int
    last: int
    changes: tuple[LocatedChange, ...]
    certainty: float  # of the most certain change: that all of them are chance is no likelier

    @property
    def number_risen(self) -> int:
        """How many series have a higher level now."""
        return sum(change.ratio > 1.0 for change in self.changes)

    @property
    def is_one_direction(self) -> bool:
        """Whether all levels rose, or all fell."""
        return self.number_risen in (0, len(self.changes))


def alerts(changes: Iterable[LocatedChange]) -> tuple[AlertGroup, ...]:
    """The changes in alerts, the most certain first; each change is in one alert (decision 33)."""
    waiting = sorted(changes, key=lambda c: (-c.certainty, c.first, c.series))
    found = []
    while waiting:
        alert, waiting = _first_alert(waiting)
        found.append(alert)
    return tuple(found)


def _first_alert(waiting: list[LocatedChange]) -> tuple[AlertGroup, list[LocatedChange]]:
    """The alert of the most certain change, and the changes that are not in it."""
    first, last = waiting[0].first, waiting[0].last
    together, rest = [], []
    for change in waiting:
        if change.first <= last and first <= change.last:
            together.append(change)
            first, last = max(first, change.first), min(last, change.last)
        else:
            rest.append(change)
    alert = AlertGroup(
        first=first, last=last, changes=tuple(together), certainty=together[0].certainty
    )
    return alert, rest


def confirmation_level(series: int) -> float:
    """The level (a probability) at which paired rounds are to confirm a candidate change.

    So many `series` give `FALSE_A_YEAR` times as many false candidates a year. If each is
    confirmed by chance with this probability, at most 5 % of years have a false alert: decision 33.
    """
    return ANY_FALSE_A_YEAR / max(1.0, FALSE_A_YEAR * series)
