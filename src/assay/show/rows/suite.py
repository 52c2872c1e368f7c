"""The choices of a suite as rows of a table, and of the decision chart.

    for row in table_rows(choices): row.operation, row.takes, row.lead, row.safety
    for row in chart_rows(choices): row["where"], row["case"], row["winner"], row["text"]

A column of the chart is a size. Where there are no sizes, it is a kind of thread safety, because
one may want the fastest of the members that are safe.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from assay.model import Choice, Contest, Standing
from assay.show.words import format

_KINDS = ("fastest", "single-threaded", "thread-safe")
TITLES = ("operation", "take", "time", "next", "thread safety")


class SuiteRow(NamedTuple):
    """One row of the table of choices: an operation, and which member to take for it."""

    operation: str
    takes: str
    time: str
    lead: str
    safety: str


def groups_of(choices: Iterable[Choice]) -> dict[str, list[Choice]]:
    """Group of benchmarks -> the choices of members in it; both in the order given."""
    found: dict[str, list[Choice]] = {}
    for choice in choices:
        found.setdefault(choice.group, []).append(choice)
    return found


def table_rows(choices: Iterable[Choice]) -> list[SuiteRow]:
    """The choices as rows of a table, for the terminal and for readers without scripts."""
    return [_row(choice) for choice in choices]


def chart_rows(choices: Sequence[Choice]) -> list[dict[str, Any]]:
    """Data of the chart that shows which member of a suite to take at which size."""
    return [row for choice in choices for row in _cells(choice)]


def _row(choice: Choice) -> SuiteRow:
    contests = choice.contests
    return SuiteRow(
        operation=format.name(title(choice)),
        takes=_members_to_take(choice),
        time=_span([_time(contest.standings[0], contest) for contest in contests]),
        lead=_second_fastest(contests),
        safety=_factors([contest.safety for contest in contests]),
    )


def title(choice: Choice) -> str:
    """The operation and case of a choice, such as 'stream, Threads::One, items 64'."""
    return ", ".join(part for part in (choice.operation, choice.case) if part)


def _members_to_take(choice: Choice) -> str:
    """The members to take, such as 'Pipe', or by size, such as 'Deque, from size 64 Pipe'."""
    (_, first), *later = choice.takes
    size = choice.size_name or "size"
    words = [format.name(first, 40)]
    words += [f"from {size} {at:,.0f} {format.name(member, 40)}" for at, member in later]
    return ", ".join(words)


def _second_fastest(contests: Sequence[Contest]) -> str:
    """The second fastest member and how many times longer it takes, at the largest size."""
    last = contests[-1]
    if last.lead is None:
        return "-"
    return f"{format.name(last.standings[1].member, 40)} {_factor(last.lead)}"


def _factors(ratios: Sequence[float | None]) -> str:
    known = [ratio for ratio in ratios if ratio is not None]
    if not known:
        return "-"
    low, high = min(known), max(known)
    return _factor(high) if _factor(low) == _factor(high) else f"{_factor(low)} .. {_factor(high)}"


def _factor(ratio: float) -> str:
    return f"x{ratio:.3g}" if ratio < 100 else f"x{ratio:.0f}"


def _span(times: Sequence[str]) -> str:
    return times[0] if len(times) == 1 else f"{times[0]} .. {times[-1]}"


def _time(standing: Standing, contest: Contest) -> str:
    return format.quantity(standing.time, contest.unit)


def _cells(choice: Choice) -> list[dict[str, Any]]:
    case = format.name(title(choice), 60)
    if choice.contests[0].size is None:
        return [
            {**_cell(case, where, standing, choice.contests[0]), "place": _KINDS.index(where)}
            for where, standing in _by_label(choice.contests[0])
        ]
    winners = _winners(choice)
    return [
        {**_cell(case, _column(choice, contest), winner, contest), "place": contest.size}
        for contest, winner in zip(choice.contests, winners, strict=True)
    ]


def _column(choice: Choice, contest: Contest) -> str:
    return f"{choice.size_name or 'size'} {contest.size:,.0f}"


def _cell(case: str, where: str, standing: Standing, contest: Contest) -> dict[str, Any]:
    text = _time(standing, contest)
    return {"case": case, "where": where, "winner": format.name(standing.member, 40), "text": text}


def _by_label(contest: Contest) -> list[tuple[str, Standing]]:
    """The fastest member of all, then the fastest of each kind of thread safety."""
    found = [(_KINDS[0], contest.standings[0])]
    for label in _KINDS[1:]:
        found += [(label, one) for one in contest.standings if one.label == label][:1]
    return found


def _winners(choice: Choice) -> list[Standing]:
    """For each size the member of the suite that should be taken."""
    starts = dict(choice.takes)
    member, winners = "", []
    for contest in choice.contests:
        member = starts.get(contest.size, member)
        winners.append(next(one for one in contest.standings if one.member == member))
    return winners
