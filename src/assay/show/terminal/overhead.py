"""Prints overheads: each condition against the undisturbed one, then against each other."""

from collections.abc import Sequence

import msgspec
from rich.console import Console
from rich.text import Text

from assay.model import Failure, Judgement
from assay.overheads import Overhead, Overheads
from assay.show.terminal.console import print_failures
from assay.show.terminal.text_table import TextCell, TextColumn, print_table
from assay.show.words import format, judging, overhead, remarks
from assay.show.words.palette import TERMINAL

_WIDE = 90  # a terminal of fewer columns has no times in its table


class PrintedOverhead(msgspec.Struct, frozen=True):
    """Everything that is printed of an overhead experiment."""

    found: Overheads
    judgement: Judgement
    failures: Sequence[Failure]


def print_overhead(console: Console, table: PrintedOverhead) -> None:
    """Print the whole result of an overhead experiment."""
    found = table.found
    against, others = found.against_undisturbed, found.against_each_other
    measured = f"{overhead.measured_benchmarks(found)}: " if len(found.benchmarks) == 1 else ""
    rounds = format.count(found.rounds, "round")
    sure = overhead.certainty(table.judgement.settings)
    console.print(Text(f"{measured}{rounds}, {sure}", "bold"))
    if against:
        _print_rows(console, against, ("condition", "undisturbed", "with it", "overhead"))
    if others:
        _print_rows(console, others, ("against each other", "this", "that", "change"))
    _print_notes(console, table)
    print_failures(console, table.failures)


def _print_rows(console: Console, rows: Sequence[Overhead], titles: Sequence[str]) -> None:
    """Print a table: without times on a narrow terminal, without names of a single benchmark."""
    first, base, candidate, change = titles
    apart = first != "condition"
    several = len({row.comparison.benchmark for row in rows}) > 1
    wide = console.width >= _WIDE
    columns = [
        TextColumn(first),
        *([TextColumn("benchmark")] if several else []),
        *([TextColumn(base, right=True), TextColumn(candidate, right=True)] if wide else []),
        *(
            TextColumn(change, right=True),
            TextColumn("interval", right=True),
            TextColumn("verdict"),
        ),
        *([] if apart else [TextColumn("events", right=True), TextColumn("lost", right=True)]),
    ]
    print_table(console, columns, [_cells(row, columns, apart=apart) for row in rows])


def _cells(row: Overhead, columns: Sequence[TextColumn], *, apart: bool) -> list[TextCell]:
    one = row.comparison
    cells = {
        "condition": TextCell(
            overhead.two_conditions(row) if apart else overhead.condition(row.condition)
        ),
        "benchmark": TextCell(format.name(one.benchmark, 40)),
        "undisturbed": TextCell(format.quantity(one.base, one.unit)),
        "with it": TextCell(format.quantity(one.candidate, one.unit)),
        "overhead": TextCell(format.change(one.change)),
        "interval": TextCell(format.interval_of(one)),
        "verdict": TextCell(format.verdict_word(one), TERMINAL[one.verdict]),
        "events": TextCell(overhead.event_count(row.events)),
        "lost": TextCell(overhead.event_count(row.lost)),
    }
    same = {"against each other": "condition", "this": "undisturbed", "that": "with it"}
    same["change"] = "overhead"
    return [cells[same.get(column.title, column.title)] for column in columns]


def _print_notes(console: Console, table: PrintedOverhead) -> None:
    settings = table.judgement.settings
    lines = [
        f"margin {format.percent(settings.margin)}; {judging.control(table.judgement.control)}",
        *remarks.remarks(table.judgement.notes),
        *overhead.notes(table.found.rows),
    ]
    for line in lines:
        console.print(Text(f"  {line}", "dim"))
