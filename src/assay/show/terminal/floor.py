"""Prints a floor in words, and as a table of what A against A showed."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from assay.model import Comparison, Floor
from assay.show.terminal.console import output_console
from assay.show.terminal.text_table import TextCell, TextColumn, print_table
from assay.show.words import format, summary


def print_floor(floor: Floor | None, comparisons: Sequence[Comparison]) -> None:
    """Print which changes are noise here, then the table. `floor` None: interrupted too early."""
    console = output_console()
    if floor is None:
        console.print(Text("interrupted: these are too few rounds for a floor", "yellow"))
        _print_rounds(console, comparisons)
        return
    rounds = format.count(floor.rounds, "round")
    effect, drift = format.percent(floor.effect), format.percent(floor.drift)
    console.print(Text(f"Changes below {effect} cannot be told from noise after {rounds}.", "bold"))
    console.print(Text(f"Measured one after the other, below {drift}."))
    _print_rounds(console, comparisons)


def _print_rounds(console: Console, comparisons: Sequence[Comparison]) -> None:
    """Print the difference of each benchmark from itself, if any was measured."""
    if not comparisons:
        return
    metric = summary.primary_metric(comparisons)
    titles = ("time", "A/A", "interval", "rounds")
    columns = [TextColumn("benchmark"), *(TextColumn(title, right=True) for title in titles)]
    rows = [_row(one) for one in comparisons if one.metric == metric]
    print_table(console, columns, rows)


def print_kept() -> None:
    """Say that comparisons of these benchmarks will use the floor."""
    output_console().print(Text("kept for this host and these benchmarks", "dim"))


def _row(one: Comparison) -> list[TextCell]:
    return [
        TextCell(format.name(one.benchmark)),
        TextCell(format.quantity(one.base, one.unit)),
        TextCell(format.change(one.change)),
        TextCell(format.interval(one.low, one.high)),
        TextCell(str(one.rounds)),
    ]
