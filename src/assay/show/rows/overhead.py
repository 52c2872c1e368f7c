"""The tables of an overhead experiment for a page.

tables(found)     # against the undisturbed condition, and against each other
"""

from collections.abc import Sequence

import msgspec

from assay.model import Verdict
from assay.overheads import Overhead, Overheads
from assay.show.rows.columns import verdict_parts
from assay.show.words import format, overhead


class OverheadCell(msgspec.Struct, frozen=True):
    """A cell of a table on the costs of conditions: its text, and smaller text below that."""

    text: str
    small: str = ""
    verdict: Verdict | None = None


class OverheadColumn(msgspec.Struct, frozen=True):
    """A column of a table on the costs of conditions.

    `kind` says how to draw it: name, number, verdict.

    The word `less` in `kind` hides the column on a phone.
    """

    title: str
    kind: str


class OverheadTable(msgspec.Struct, frozen=True):
    """A table on the costs of conditions; `key` is its name on the page."""

    key: str
    title: str
    columns: Sequence[OverheadColumn]
    rows: Sequence[Sequence[OverheadCell]]


_KINDS = {
    **dict.fromkeys(("condition", "reference", "benchmark"), "name"),
    **dict.fromkeys(("undisturbed", "with it"), "number less"),
    **dict.fromkeys(("reference takes", "condition takes"), "number less"),
    "verdict": "verdict",
}


def tables(found: Overheads) -> list[OverheadTable]:
    """The tables on the costs of conditions; a table that would have no rows is left out."""
    several = len(found.benchmarks) > 1
    against, others = found.against_undisturbed, found.against_each_other
    title = overhead.against_title(found)
    both = [
        _table("against", title, _titles(overhead.AGAINST, several=several), against),
        _table(
            "each-other",
            overhead.EACH_OTHER_TITLE,
            _titles(overhead.EACH_OTHER, several=several),
            others,
        ),
    ]
    return [table for table in both if table.rows]


def _titles(titles: Sequence[str], *, several: bool) -> list[str]:
    """Titles of columns, without "benchmark" if there is only one."""
    return [title for title in titles if several or title != "benchmark"]


def _table(key: str, title: str, titles: Sequence[str], rows: Sequence[Overhead]) -> OverheadTable:
    columns = [OverheadColumn(one, _KINDS.get(one, "number")) for one in titles]
    made = [_cells(row) for row in rows]
    return OverheadTable(key, title, columns, [[cells[one] for one in titles] for cells in made])


def _cells(row: Overhead) -> dict[str, OverheadCell]:
    """The cells of one comparison of conditions, by the titles of their columns in both tables."""
    one = row.comparison
    base, candidate = map(OverheadCell, format.amounts(one))
    change = OverheadCell(format.change(one.change))
    word, hint = verdict_parts(one)
    return {
        "condition": OverheadCell(overhead.condition(row.condition)),
        "reference": OverheadCell(overhead.condition(row.reference)),
        "benchmark": OverheadCell(format.name(one.benchmark)),
        **dict.fromkeys(("undisturbed", "reference takes"), base),
        **dict.fromkeys(("with it", "condition takes"), candidate),
        **dict.fromkeys(("overhead", "change"), change),
        "interval": OverheadCell(format.interval_of(one)),
        "verdict": OverheadCell(word, hint, one.verdict),
        "events": OverheadCell(overhead.event_count(row.events)),
        "lost": OverheadCell(overhead.event_count(row.lost)),
    }
