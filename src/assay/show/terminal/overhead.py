"""Prints overheads: each condition against the undisturbed one, then against each other."""

from collections.abc import Mapping, Sequence

import msgspec
from rich.console import Console
from rich.text import Text

from assay.model import Failure, Judgement
from assay.overheads import Overhead, Overheads
from assay.show.terminal.console import print_failures
from assay.show.terminal.text_table import TextCell, TextColumn, print_table
from assay.show.words import format, judging, overhead, remarks
from assay.show.words.columns import ColumnKey
from assay.show.words.palette import TERMINAL

_LEFT = {ColumnKey.CONDITION, ColumnKey.BENCHMARK, ColumnKey.VERDICT}
_WIDE = 90  # a terminal of fewer columns has no times in its table


class PrintedOverhead(msgspec.Struct, frozen=True):
    """Everything that is printed of an overhead experiment."""

    found: Overheads
    judgement: Judgement
    failures: Sequence[Failure]


def print_overhead(console: Console, table: PrintedOverhead) -> None:
    """Print the whole result of an overhead experiment."""
    found = table.found
    against, others = found.against_undisturbed_host, found.against_each_other
    measured = f"{overhead.measured_benchmarks(found)}: " if len(found.benchmarks) == 1 else ""
    rounds = format.count(found.rounds, "round")
    sure = overhead.certainty(table.judgement.settings)
    console.print(Text(f"{measured}{rounds}, {sure}", "bold"))
    if against:
        _print_rows(console, against, overhead.AGAINST)
    if others:
        _print_rows(console, others, overhead.EACH_OTHER_IN_BRIEF, apart=True)
    _print_notes(console, table)
    print_failures(console, table.failures)


def _print_rows(
    console: Console,
    rows: Sequence[Overhead],
    titles: Mapping[ColumnKey, str],
    *,
    apart: bool = False,
) -> None:
    """Print a table: without times on a narrow terminal, without names of a single benchmark.

    `apart`: no side is the undisturbed condition, so that each row names both.
    """
    left_out = set() if console.width >= _WIDE else {ColumnKey.BASE, ColumnKey.CANDIDATE}
    if len({row.comparison.benchmark for row in rows}) == 1:
        left_out.add(ColumnKey.BENCHMARK)
    keys = [key for key in titles if key not in left_out]
    columns = [TextColumn(titles[key], right=key not in _LEFT) for key in keys]
    print_table(console, columns, [_cells(row, keys, apart=apart) for row in rows])


def _cells(row: Overhead, keys: Sequence[ColumnKey], *, apart: bool) -> list[TextCell]:
    one = row.comparison
    condition = overhead.two_conditions(row) if apart else overhead.condition(row.condition)
    cells = {
        ColumnKey.CONDITION: TextCell(condition),
        ColumnKey.BENCHMARK: TextCell(format.name(one.benchmark, 40)),
        ColumnKey.BASE: TextCell(format.quantity(one.base, one.unit)),
        ColumnKey.CANDIDATE: TextCell(format.quantity(one.candidate, one.unit)),
        ColumnKey.CHANGE: TextCell(format.change(one.change)),
        ColumnKey.INTERVAL: TextCell(format.interval_of(one)),
        ColumnKey.VERDICT: TextCell(format.verdict_word(one), TERMINAL[one.verdict]),
        ColumnKey.EVENTS: TextCell(overhead.event_count(row.events)),
        ColumnKey.LOST: TextCell(overhead.event_count(row.lost)),
    }
    return [cells[key] for key in keys]


def _print_notes(console: Console, table: PrintedOverhead) -> None:
    settings = table.judgement.settings
    lines = [
        f"margin {format.percent(settings.margin)}; {judging.control(table.judgement.control)}",
        *remarks.remarks(table.judgement.notes),
        *overhead.notes(table.found.rows),
    ]
    for line in lines:
        console.print(Text(f"  {line}", "dim"))
