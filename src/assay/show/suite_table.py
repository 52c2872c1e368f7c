"""A suite's choices on the terminal: a short table for each group."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from assay.model import Choice, Record
from assay.show import format
from assay.show.suite_rows import TITLES, groups_of, table_rows
from assay.show.terminal import output_console, print_failures

_HOW = (
    "take: the fastest, and from which size on another is (by 5 % or more); next: who follows at "
    "the largest size; thread safety: fastest thread-safe over fastest single-threaded. Medians "
    "of few launches: for a verdict on two members use assay compare"
)


def print_suite(record: Record, choices: Sequence[Choice], kept_in: str) -> None:
    """All groups, what failed, and where the record is."""
    console = output_console()
    for group, made in groups_of(choices).items():
        console.print(Text(f"{group}", style="bold"))
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        for place, heading in enumerate(TITLES):
            table.add_column(heading, overflow="fold", no_wrap=place in (2, 4))
        for row in table_rows(made):
            table.add_row(*(Text(cell) for cell in row))
        console.print(table)
        console.print()
    if not choices:
        measured = format.count(len({one.benchmark for one in record.samples}), "benchmark")
        console.print(Text(f"{measured} measured; no two members to choose among"))
    console.print(Text(_HOW, "dim"))
    print_failures(console, record.failures)
    console.print(Text(f"record: {kept_in}", "dim"))
