"""One alert of the changes of many series that one cause explains: alerts(changes).

Changes have one cause when there is a place in which all of them can lie. The most certain
change begins an alert, and takes with it what still leaves such a place. Some series may have
got slower by the same commit that made others faster: signs part nothing, the alert tells both.
"""

from collections.abc import Iterable

import msgspec

from assay.judge.history.detector import FALSE_A_YEAR

ANY_FALSE_A_YEAR = 0.05  # chance of any false alert in a year, over all series watched


class Located(msgspec.Struct, frozen=True, kw_only=True):
    """A change of one series, on an axis that all series share: revisions, or runs."""

    series: str
    first: int  # the earliest place on that axis at which the new level may begin
    last: int  # the latest
    ratio: float
    certainty: float


class Alert(msgspec.Struct, frozen=True, kw_only=True):
    """Changes with a place in common, the most certain first."""

    first: int
    last: int
    changes: tuple[Located, ...]
    certainty: float  # of the most certain: that not all of them are chance is at least as sure

    @property
    def risen(self) -> int:
        return sum(change.ratio > 1.0 for change in self.changes)

    @property
    def agree(self) -> bool:
        """Whether all went the same way."""
        return self.risen in (0, len(self.changes))


def alerts(changes: Iterable[Located]) -> tuple[Alert, ...]:
    """The most certain first."""
    waiting = sorted(changes, key=lambda c: (-c.certainty, c.first, c.series))
    found = []
    while waiting:
        alert, waiting = _taken(waiting)
        found.append(alert)
    return tuple(found)


def _taken(waiting: list[Located]) -> tuple[Alert, list[Located]]:
    """The alert of the most certain change, and what it leaves."""
    first, last = waiting[0].first, waiting[0].last
    together, rest = [], []
    for change in waiting:
        if change.first <= last and first <= change.last:
            together.append(change)
            first, last = max(first, change.first), min(last, change.last)
        else:
            rest.append(change)
    alert = Alert(first=first, last=last, changes=tuple(together), certainty=together[0].certainty)
    return alert, rest


def confirmation_level(series: int) -> float:
    """The level at which paired rounds are to confirm a candidate, of so many series watched.

    That many series give `FALSE_A_YEAR` times as many false candidates a year. If each is
    confirmed by chance with this probability, any false alert comes in at most 5 % of years.
    """
    return ANY_FALSE_A_YEAR / max(1.0, FALSE_A_YEAR * series)
