"""Results and progress on a terminal: verdict first, then the table, then how.

Results go to standard output, progress and warnings to standard error. Colour
and the moving line only where there is a terminal; NO_COLOR is respected.
"""

import os
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from assay.model import Comparison, Failure, Judgement, Verdict
from assay.show import format, summary
from assay.show.text_table import Cell, Column, print_table

STYLE = {
    Verdict.SLOWER: "bold red",
    Verdict.FASTER: "bold blue",
    Verdict.DIFFERENT: "bold magenta",
    Verdict.SAME: "dim",
    Verdict.UNDECIDED: "yellow",
}
_NARROW = 100  # columns below which the table drops what can be worked out


def output_console() -> Console:
    """Where results go. A pipe gets 160 columns unless COLUMNS says otherwise."""
    piped = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Console(highlight=False, width=160 if piped else None, soft_wrap=False)


def print_judgement(
    console: Console,
    judgement: Judgement,
    *,
    only: tuple[Sequence[str], Sequence[str]],
    failures: Sequence[Failure],
) -> None:
    """The whole result."""
    comparisons = judgement.comparisons
    console.print(Text(summary.headline(comparisons), style="bold"))
    metric = summary.primary_metric(comparisons)
    main = [one for one in comparisons if one.metric == metric]
    if main:
        _print_comparisons(console, main, with_metric=False)
    others = summary.beside(comparisons)
    if others:
        console.print(Text("Other metrics that changed:"))
        _print_comparisons(console, others, with_metric=True)
    _print_notes(console, comparisons)
    print_failures(console, failures)
    for side, names in zip(("base", "candidate"), only, strict=True):
        if names:
            console.print(Text(f"Only in {side}: {_listed(names)}"))
    for line in summary.how_judged(judgement):
        console.print(Text(f"  {line}", style="dim"))


def print_failures(console: Console, failures: Sequence[Failure]) -> None:
    """What could not be measured, and what it did."""
    for failure in failures:
        where = f" ({failure.side})" if failure.side else ""
        named = format.name(failure.benchmark or failure.target)
        console.print(
            Text.assemble(
                ("failed ", "bold red"), named, where, ": ", format.name(failure.what, 400)
            )
        )


def _print_comparisons(
    console: Console, comparisons: Sequence[Comparison], *, with_metric: bool
) -> None:
    wide = console.width >= _NARROW
    metric = [Column("metric")] if with_metric else []
    values = [Column("base", right=True), Column("candidate", right=True)] if wide else []
    judged = [Column("change", right=True), Column("interval", right=True), Column("verdict")]
    rounds = [Column("rounds", right=True)] if wide else []
    columns = [Column("benchmark"), *metric, *values, *judged, *rounds]
    rows = [_cells(one, wide=wide, with_metric=with_metric) for one in comparisons]
    print_table(console, columns, rows)


def _cells(one: Comparison, *, wide: bool, with_metric: bool) -> list[Cell]:
    hint = summary.undecided_hint(one)
    verdict = format.verdict_word(one) + (f" ({hint})" if hint else "")
    cells = [Cell(format.name(one.benchmark))]
    if with_metric:
        cells.append(Cell(format.name(one.metric)))
    if wide:
        cells += [Cell(format.quantity(v, one.unit)) for v in (one.base, one.candidate)]
    cells += [Cell(format.change(one.change)), Cell(format.interval(one.low, one.high))]
    cells.append(Cell(verdict, STYLE[one.verdict]))
    return [*cells, Cell(str(one.rounds))] if wide else cells


def _print_notes(console: Console, comparisons: Sequence[Comparison]) -> None:
    """Notes once each, with how many comparisons they are about."""
    notes: dict[str, list[str]] = {}
    for one in comparisons:
        for note in one.notes:
            notes.setdefault(note, []).append(one.benchmark)
    for note, names in notes.items():
        about = dict.fromkeys(names)
        console.print(Text(f"note: {note}: {_listed(list(about))}", style="yellow"))


def _listed(names: Sequence[str], most: int = 5) -> str:
    shown = [format.name(one, 60) for one in names[:most]]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")
