"""Overheads on a terminal: each condition against the undisturbed one, then against each other."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from assay.model import Comparison, Failure, Judgement
from assay.show.terminal.console import print_failures
from assay.show.terminal.text_table import Cell, Column, print_table
from assay.show.words import format
from assay.show.words.palette import TERMINAL

_WIDE = 90  # columns below which the times give way


class Row(NamedTuple):
    """One comparison, and what is known of its condition's proof."""

    reference: str
    condition: str
    comparison: Comparison
    events: int | None = None
    lost: int | None = None


class Table(NamedTuple):
    """All that is printed."""

    undisturbed: str
    rows: Sequence[Row]
    judgement: Judgement
    failures: Sequence[Failure]
    rounds: int


def print_overhead(console: Console, table: Table) -> None:
    """The whole result."""
    against = [row for row in table.rows if row.reference == table.undisturbed]
    others = [row for row in table.rows if row.reference != table.undisturbed]
    sure = format.percent(1 - table.judgement.settings.alpha)
    names = dict.fromkeys(row.comparison.benchmark for row in table.rows)
    measured = f"{format.name(next(iter(names)), 60)}: " if len(names) == 1 else ""
    rounds = format.count(table.rounds, "round")
    console.print(Text(f"{measured}{rounds}, {sure} intervals", "bold"))
    if against:
        _print_rows(console, against, ("condition", "undisturbed", "with it", "overhead"))
    if others:
        _print_rows(console, others, ("against each other", "this", "that", "change"))
    _print_notes(console, table)
    print_failures(console, table.failures)


def _print_rows(console: Console, rows: Sequence[Row], titles: Sequence[str]) -> None:
    """Times and benchmark are left out where there is no room, or nothing to tell apart."""
    first, base, candidate, change = titles
    apart = first != "condition"
    several = len({row.comparison.benchmark for row in rows}) > 1
    wide = console.width >= _WIDE
    columns = [
        Column(first),
        *([Column("benchmark")] if several else []),
        *([Column(base, right=True), Column(candidate, right=True)] if wide else []),
        *(Column(change, right=True), Column("interval", right=True), Column("verdict")),
        *([] if apart else [Column("events", right=True), Column("lost", right=True)]),
    ]
    print_table(console, columns, [_cells(row, columns, apart=apart) for row in rows])


def _cells(row: Row, columns: Sequence[Column], *, apart: bool) -> list[Cell]:
    one = row.comparison
    against = f" against {format.name(row.reference, 50)}" if apart else ""
    cells = {
        "condition": Cell(f"{format.name(row.condition, 50)}{against}"),
        "benchmark": Cell(format.name(one.benchmark, 40)),
        "undisturbed": Cell(format.quantity(one.base, one.unit)),
        "with it": Cell(format.quantity(one.candidate, one.unit)),
        "overhead": Cell(format.change(one.change)),
        "interval": Cell(format.interval_of(one)),
        "verdict": Cell(format.verdict_word(one), TERMINAL[one.verdict]),
        "events": Cell(_number(row.events)),
        "lost": Cell(_number(row.lost)),
    }
    same = {"against each other": "condition", "this": "undisturbed", "that": "with it"}
    same["change"] = "overhead"
    return [cells[same.get(column.title, column.title)] for column in columns]


def _number(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def _print_notes(console: Console, table: Table) -> None:
    settings = table.judgement.settings
    lines = [
        f"margin {format.percent(settings.margin)}; {table.judgement.control}",
        *table.judgement.notes,
        *_told_once(table.rows),
    ]
    for line in lines:
        console.print(Text(f"  {line}", "dim"))


def _told_once(rows: Sequence[Row]) -> list[str]:
    """Every note once, with the comparisons it is about; numbers it begins with as a range."""
    numbers: dict[str, list[int]] = {}
    about: dict[str, list[str]] = {}
    several = len({row.comparison.benchmark for row in rows}) > 1
    for row in rows:
        for note in row.comparison.notes:
            number, rest = _counted(note)
            numbers.setdefault(rest, []).extend(number)
            about.setdefault(rest, []).append(_title(row, several=several))
    return [_note(rest, numbers[rest], about[rest], len(rows)) for rest in about]


def _counted(note: str) -> tuple[list[int], str]:
    """'10 rounds dropped: why' as 10 and the rest."""
    found = re.match(r"(\d+) (rounds? dropped.*)", note, re.DOTALL)
    return ([int(found[1])], found[2]) if found else ([], note)


def _title(row: Row, *, several: bool) -> str:
    against = f"{format.name(row.condition, 50)} against {format.name(row.reference, 50)}"
    return f"{format.name(row.comparison.benchmark, 40)}, {against}" if several else against


def _note(rest: str, numbers: Sequence[int], about: Sequence[str], of: int) -> str:
    low, high = min(numbers, default=0), max(numbers, default=0)
    count = "" if not numbers else f"{low} " if low == high else f"{low} to {high} "
    where = f"in each of the {of} comparisons" if len(about) == of > 1 else ", ".join(about)
    return f"{count}{rest} ({where})"
