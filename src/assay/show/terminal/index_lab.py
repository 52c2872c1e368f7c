"""Prints a sweep: the throughput of every plug-in at every point, side by side."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from assay.model import Failure, SweepPoint
from assay.show.rows.sweep import settings_of
from assay.show.terminal.console import output_console, print_failures
from assay.show.words import format

_HOW = (
    "operations a second: median of the launches (least to most). Plug-ins took turns in every "
    "round; for a verdict on two of them use assay compare"
)


def print_sweep(points: Sequence[SweepPoint], failures: Sequence[Failure]) -> None:
    """Print one table for each setting of the sweep, then what failed."""
    console = output_console()
    for setting, of_it in settings_of(points).items():
        console.print(Text(format.name(setting), style="bold"))
        console.print(_table(of_it))
        console.print()
    console.print(Text(_HOW, "dim"))
    print_failures(console, failures)


def print_kept(kept_in: str, seed: object) -> None:
    """Print where the record is, and the seed of its random order."""
    output_console().print(Text(format.record_line(kept_in, seed), "dim"))


def _table(points: Sequence[SweepPoint]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    plugins = sorted({point.plugin for point in points})
    table.add_column("threads", justify="right")
    for plugin in plugins:
        table.add_column(format.name(plugin, 30), justify="right", no_wrap=True)
    at = {(point.threads, point.plugin): point for point in points}
    for threads in dict.fromkeys(point.threads for point in points):
        cells = [_cell(at.get((threads, plugin))) for plugin in plugins]
        table.add_row(Text(str(threads)), *cells)
    return table


def _cell(point: SweepPoint | None) -> Text:
    if point is None:
        return Text("-")
    least, middle, most = (
        format.quantity(value, "1").strip() for value in (point.least, point.middle, point.most)
    )
    spread = f" ({least} to {most})" if point.launches > 1 else ""
    return Text.assemble(middle, (spread, "dim"))
