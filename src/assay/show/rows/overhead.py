"""The tables of an overhead experiment for a page.

tables(found)     # against the undisturbed condition, and against each other
"""

from collections.abc import Mapping, Sequence

import msgspec

from assay.model import Verdict
from assay.overheads import Overhead, Overheads
from assay.show.rows.columns import verdict_parts
from assay.show.words import format, overhead
from assay.show.words.columns import ColumnKey


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
    **dict.fromkeys((ColumnKey.CONDITION, ColumnKey.REFERENCE, ColumnKey.BENCHMARK), "name"),
    **dict.fromkeys((ColumnKey.BASE, ColumnKey.CANDIDATE), "number less"),
    ColumnKey.VERDICT: "verdict",
}


def tables(found: Overheads) -> list[OverheadTable]:
    """The tables on the costs of conditions; a table that would have no rows is left out."""
    several = len(found.benchmarks) > 1
    against, others = found.against_undisturbed_host, found.against_each_other
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


def _titles(titles: Mapping[ColumnKey, str], *, several: bool) -> dict[ColumnKey, str]:
    """The columns and their titles, without that of benchmarks if there is only one."""
    left_out = set() if several else {ColumnKey.BENCHMARK}
    return {key: title for key, title in titles.items() if key not in left_out}


def _table(
    key: str, title: str, titles: Mapping[ColumnKey, str], rows: Sequence[Overhead]
) -> OverheadTable:
    columns = [OverheadColumn(said, _KINDS.get(one, "number")) for one, said in titles.items()]
    made = [_cells(row) for row in rows]
    return OverheadTable(key, title, columns, [[cells[one] for one in titles] for cells in made])


def _cells(row: Overhead) -> dict[ColumnKey, OverheadCell]:
    """The cells of one comparison of conditions, for both tables."""
    one = row.comparison
    base, candidate = map(OverheadCell, format.amounts(one))
    change = OverheadCell(format.change(one.change))
    word, hint = verdict_parts(one)
    return {
        ColumnKey.CONDITION: OverheadCell(overhead.condition(row.condition)),
        ColumnKey.REFERENCE: OverheadCell(overhead.condition(row.reference)),
        ColumnKey.BENCHMARK: OverheadCell(format.name(one.benchmark)),
        ColumnKey.BASE: base,
        ColumnKey.CANDIDATE: candidate,
        ColumnKey.CHANGE: change,
        ColumnKey.INTERVAL: OverheadCell(format.interval_of(one)),
        ColumnKey.VERDICT: OverheadCell(word, hint, one.verdict),
        ColumnKey.EVENTS: OverheadCell(overhead.event_count(row.events)),
        ColumnKey.LOST: OverheadCell(overhead.event_count(row.lost)),
    }
