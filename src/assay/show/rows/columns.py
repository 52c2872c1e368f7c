"""The table of a report: cells as they are read, beside what they are sorted by.

The page and its plain form without scripts are drawn from the same cells.
"""

from collections.abc import Sequence

import msgspec

from assay.model import Comparison, Level, Verdict
from assay.show.words import format, hints
from assay.show.words.palette import SIGN

_RANK = (
    Verdict.SLOWER,
    Verdict.SOMETIMES_SLOWER,
    Verdict.FASTER,
    Verdict.SOMETIMES_FASTER,
    Verdict.DIFFERENT,
    Verdict.UNDECIDED,
    Verdict.SAME,
)


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """One column: what to show in each row, and what to sort it by (the text, when empty).

    `kind` says how: name, text, number, verdict, or interval (drawn by the page).
    """

    title: str
    kind: str
    shown: list[str]
    sort: list[float | None] = []


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """Columns of equal length, and which rows come first: the most important."""

    columns: list[Column]
    order: list[int]


def comparison_table(comparisons: Sequence[Comparison]) -> Table:
    """One row a comparison, in the order given."""
    several = len({one.metric for one in comparisons}) > 1
    metric = [_column("metric", "text", [format.name(one.metric) for one in comparisons])]
    columns = [
        _column("benchmark", "name", [format.name(one.benchmark) for one in comparisons]),
        *(metric if several else []),
        *_numbers(comparisons),
        _column("verdict", "verdict", [verdict_text(c) for c in comparisons], _ranks(comparisons)),
        _column("rounds", "number", [str(c.rounds) for c in comparisons], _rounds(comparisons)),
    ]
    return Table(columns=columns, order=important(comparisons))


def level_table(levels: Sequence[Level]) -> Table:
    """One row a benchmark of a run by itself."""
    spread = ["-" if one.spread is None else f"{100 * one.spread:.1f} %" for one in levels]
    cpu = ["-" if one.cpu is None else format.quantity(one.cpu, one.unit) for one in levels]
    columns = [
        _column("benchmark", "name", [format.name(one.benchmark) for one in levels]),
        _column(
            "time",
            "number",
            [format.quantity(one.real, one.unit) for one in levels],
            [format.in_ns(one.real, one.unit) for one in levels],
        ),
        _column(
            "CPU",
            "number",
            cpu,
            [None if one.cpu is None else format.in_ns(one.cpu, one.unit) for one in levels],
        ),
        _column("spread", "number", spread, [one.spread for one in levels]),
        _column(
            "launches",
            "number",
            [str(one.launches) for one in levels],
            [float(one.launches) for one in levels],
        ),
    ]
    return Table(columns=columns, order=list(range(len(levels))))


def important(comparisons: Sequence[Comparison]) -> list[int]:
    """Rows by what a reader wants to know first: verdict, then size."""
    rank = {verdict: place for place, verdict in enumerate(_RANK)}
    return sorted(
        range(len(comparisons)),
        key=lambda i: (rank[comparisons[i].verdict], -abs(comparisons[i].change)),
    )


def verdict_text(one: Comparison) -> str:
    """'▲ slower', '? undecided (leans faster, about 40 s more)'."""
    hint = hints.hint(one)
    return f"{SIGN[one.verdict]} {format.verdict_word(one)}{f' ({hint})' if hint else ''}"


def _numbers(comparisons: Sequence[Comparison]) -> list[Column]:
    return [
        _quantities("base", comparisons, [one.base for one in comparisons]),
        _quantities("candidate", comparisons, [one.candidate for one in comparisons]),
        _column(
            "change",
            "number",
            [format.change(one.change) for one in comparisons],
            [one.change for one in comparisons],
        ),
        _column(
            "interval",
            "interval",
            [format.interval_of(one) for one in comparisons],
            [one.low for one in comparisons],
        ),
    ]


def _quantities(title: str, comparisons: Sequence[Comparison], values: list[float]) -> Column:
    pairs = list(zip(values, comparisons, strict=True))
    return _column(
        title,
        "number",
        [format.quantity(value, one.unit) for value, one in pairs],
        [format.in_ns(value, one.unit) for value, one in pairs],
    )


def _ranks(comparisons: Sequence[Comparison]) -> list[float | None]:
    place: list[float | None] = [0.0] * len(comparisons)
    for number, row in enumerate(important(comparisons)):
        place[row] = float(number)
    return place


def _rounds(comparisons: Sequence[Comparison]) -> list[float | None]:
    return [float(one.rounds) for one in comparisons]


def _column(title: str, kind: str, shown: list[str], sort: Sequence[float | None] = ()) -> Column:
    return Column(title=title, kind=kind, shown=shown, sort=list(sort))
