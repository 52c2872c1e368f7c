"""Prints a suite: what was measured, then which members to take, group by group."""

from collections.abc import Sequence

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from assay.model import Choice, Level, Record
from assay.show.rows.suite import TITLES, groups_of, table_rows
from assay.show.terminal.console import output_console, print_failures
from assay.show.terminal.run import print_levels
from assay.show.words import format

_HOW = (
    "take: the fastest, and from which size on another is (by 5 % or more); next: who follows at "
    "the largest size; thread safety: fastest thread-safe over fastest single-threaded. Medians "
    "of few launches: for a verdict on two members use assay compare"
)

_NO_CHOICE = "no advice: that takes two members of a group, measured alike; try a wider --filter"


class SuiteShown(msgspec.Struct, frozen=True):
    """What the terminal shows of a suite: levels of benchmarks, choices of
    members, and where it is kept.
    """

    record: Record
    levels: Sequence[Level]
    choices: Sequence[Choice]
    kept_in: str


def print_suite(result: SuiteShown) -> None:
    """Print every benchmark, the choices of each group, what failed, and where the record is."""
    console = output_console()
    print_levels(console, result.levels)
    console.print()
    if result.choices:
        _print_choices(console, result.choices)
    else:
        console.print(Text(_NO_CHOICE))
    print_failures(console, result.record.failures)
    console.print(Text(format.record_line(result.kept_in, result.record.facts.seed), "dim"))


def _print_choices(console: Console, choices: Sequence[Choice]) -> None:
    for group, made in groups_of(choices).items():
        console.print(Text(f"{group}", style="bold"))
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        for place, heading in enumerate(TITLES):
            table.add_column(heading, overflow="fold", no_wrap=place in (2, 4))
        for row in table_rows(made):
            table.add_row(*(Text(cell) for cell in row))
        console.print(table)
        console.print()
    console.print(Text(_HOW, "dim"))
