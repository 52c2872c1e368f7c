"""Prints a run by itself: a table with what was measured of each benchmark."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from assay.model import Level, Record
from assay.show.rows.columns import level_title
from assay.show.terminal.console import output_console, print_failures
from assay.show.words import format


def print_run(record: Record, levels: Sequence[Level], kept_in: str) -> None:
    """Print the table, what failed, and where the record is."""
    console = output_console()
    print_levels(console, levels)
    print_failures(console, record.failures)
    for note in record.facts.notes:
        console.print(Text(f"note: {format.visible(note)}", "yellow"))
    console.print(Text(format.record_line(kept_in, record.facts.seed), "dim"))


def print_levels(console: Console, levels: Sequence[Level]) -> None:
    """Print one row for each benchmark, and what the columns mean."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("benchmark", overflow="fold")
    measured = level_title(levels)
    for title in (measured, "CPU", "spread", "launches"):
        table.add_column(title, justify="right", no_wrap=True)
    for level in levels:
        table.add_row(Text(format.name(level.benchmark)), *(Text(cell) for cell in _cells(level)))
    console.print(table)
    what = "time and CPU" if measured == "time" else measured
    console.print(Text(f"{what}: median of launches; spread: middle half of them", "dim"))


def _cells(level: Level) -> tuple[str, str, str, str]:
    spread = "-" if level.spread is None else f"{100 * level.spread:.1f} %"
    cpu = "-" if level.cpu is None else format.quantity(level.cpu, level.unit)
    real = f"{level.real:,.2f}" if level.unit == "1" else format.quantity(level.real, level.unit)
    return (real, cpu, spread, str(level.launches))
