"""The table of a report: each cell as it is shown, and what it is sorted by.

The page's table, and the one for readers without scripts, are made from the same cells.
"""

from collections.abc import Mapping, Sequence

import msgspec

from assay.model import Comparison, Level, Verdict
from assay.show.words import format, hints, summary
from assay.show.words.columns import TITLES, ColumnKey
from assay.show.words.palette import SIGN

_RANK = (
    Verdict.SLOWER,
    Verdict.SOMETIMES_SLOWER,
    Verdict.FASTER,
    Verdict.SOMETIMES_FASTER,
    Verdict.DIFFERENT,
    Verdict.PLACEMENT,
    Verdict.UNDECIDED,
    Verdict.SAME,
)


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """A column of a report's table: texts of its cells, and numbers to sort
    by (none: sort by text).

    `kind` says how cells are drawn: name, text, number, verdict, or interval (drawn by the page).
    """

    key: ColumnKey
    title: str
    kind: str
    shown: list[str]
    sort: list[float | None] = []


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a report: its columns, and the indexes of its rows, the
    most important row first.
    """

    columns: list[Column]
    order: list[int]


def comparison_table(
    comparisons: Sequence[Comparison], called: Mapping[str, str] | None = None
) -> Table:
    """One row for each comparison, in the given order; `called` has other titles for some keys."""
    several = len({one.metric for one in comparisons}) > 1
    order = order_by_importance(comparisons)
    metric = [_column(ColumnKey.METRIC, "text", [format.name(one.metric) for one in comparisons])]
    columns = [
        _column(ColumnKey.BENCHMARK, "name", [format.name(one.benchmark) for one in comparisons]),
        *(metric if several else []),
        *_numbers(comparisons),
        _column(
            ColumnKey.VERDICT, "verdict", [verdict_text(c) for c in comparisons], _ranks(order)
        ),
        _counts(ColumnKey.ROUNDS, [one.rounds for one in comparisons]),
    ]
    titles = called or {}
    named = [_with_title(one, titles.get(one.key, one.title)) for one in columns]
    return Table(columns=named, order=order)


def level_table(levels: Sequence[Level]) -> Table:
    """One row for each benchmark of a run by itself."""
    spread = ["-" if one.spread is None else f"{100 * one.spread:.1f} %" for one in levels]
    measured = _quantities(ColumnKey.TIME, [(one.real, one.unit) for one in levels])
    columns = [
        _column(ColumnKey.BENCHMARK, "name", [format.name(one.benchmark) for one in levels]),
        _with_title(measured, level_title(levels)),
        _quantities(ColumnKey.CPU, [(one.cpu, one.unit) for one in levels]),
        _column(ColumnKey.SPREAD, "number", spread, [one.spread for one in levels]),
        _counts(ColumnKey.LAUNCHES, [one.launches for one in levels]),
    ]
    return Table(columns=columns, order=list(range(len(levels))))


def level_title(levels: Sequence[Level]) -> str:
    """The title of the column with measured values: "instructions" where they
    were counted, else "time".
    """
    return "instructions" if any(one.unit == "1" for one in levels) else "time"


def order_by_importance(comparisons: Sequence[Comparison]) -> list[int]:
    """Indexes of the rows, by what a reader wants to know first: verdict, then size."""
    rank = {verdict: place for place, verdict in enumerate(_RANK)}
    return sorted(
        range(len(comparisons)),
        key=lambda i: (rank[comparisons[i].verdict], -abs(comparisons[i].change)),
    )


def order_of_headline_rows(comparisons: Sequence[Comparison]) -> list[int]:
    """Indexes of the rows whose metric is the headline's, by `order_by_importance`."""
    main = summary.primary_metric(comparisons)
    return [i for i in order_by_importance(comparisons) if comparisons[i].metric == main]


def verdict_text(one: Comparison) -> str:
    """A verdict with sign and hint: '▲ slower', or '? undecided (leans
    faster, about 40 s more)'.
    """
    word, hint = verdict_parts(one)
    return f"{word}{f' ({hint})' if hint else ''}"


def verdict_parts(one: Comparison) -> tuple[str, str]:
    """A verdict with its sign, and its hint: '? undecided' and 'leans faster, about 40 s more'."""
    return f"{SIGN[one.verdict]} {format.verdict_word(one)}", hints.hint(one)


def _with_title(column: Column, title: str) -> Column:
    return msgspec.structs.replace(column, title=title)


def _numbers(comparisons: Sequence[Comparison]) -> list[Column]:
    changes = [format.change(one.change) for one in comparisons]
    intervals = [format.interval_of(one) for one in comparisons]
    base = [(one.base, one.unit) for one in comparisons]
    candidate = [(one.candidate, one.unit) for one in comparisons]
    return [
        _amounts(ColumnKey.BASE, [format.amounts(one)[0] for one in comparisons], base),
        _amounts(ColumnKey.CANDIDATE, [format.amounts(one)[1] for one in comparisons], candidate),
        _column(ColumnKey.CHANGE, "number", changes, [one.change for one in comparisons]),
        _column(ColumnKey.INTERVAL, "interval", intervals, [one.low for one in comparisons]),
    ]


def _quantities(key: ColumnKey, values: Sequence[tuple[float | None, str]]) -> Column:
    """A column of values with units; a dash where the value is not known."""
    shown = ["-" if value is None else format.quantity(value, unit) for value, unit in values]
    return _amounts(key, shown, values)


def _amounts(
    key: ColumnKey, shown: list[str], values: Sequence[tuple[float | None, str]]
) -> Column:
    """A column of texts such as "1.23 us", sorted by the values and units that they stand for."""
    sort = [None if value is None else format.in_ns(value, unit) for value, unit in values]
    return _column(key, "number", shown, sort)


def _ranks(order: Sequence[int]) -> list[float | None]:
    place: list[float | None] = [0.0] * len(order)
    for number, row in enumerate(order):
        place[row] = float(number)
    return place


def _counts(key: ColumnKey, counts: list[int]) -> Column:
    return _column(key, "number", list(map(str, counts)), list(map(float, counts)))


def _column(
    key: ColumnKey, kind: str, shown: list[str], sort: Sequence[float | None] = ()
) -> Column:
    return Column(key=key, title=TITLES[key], kind=kind, shown=shown, sort=list(sort))
