"""Results and progress on a terminal: verdict first, then the table, then how.

Results go to standard output, progress and warnings to standard error. Colour
and the moving line only where there is a terminal; NO_COLOR is respected.
"""

import os
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from assay.model import Comparison, Failure, Judgement, Verdict
from assay.show import format, summary

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
        console.print(_comparison_table(main, console.width, with_metric=False))
    others = summary.beside(comparisons)
    if others:
        console.print(Text("Other metrics that changed:"))
        console.print(_comparison_table(others, console.width, with_metric=True))
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


def _comparison_table(comparisons: Sequence[Comparison], width: int, *, with_metric: bool) -> Table:
    wide = width >= _NARROW
    table = _table(("benchmark", "left"))
    if with_metric:
        table.add_column("metric", no_wrap=True)
    for title in ("base", "candidate") if wide else ():
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("change", justify="right", no_wrap=True)
    table.add_column("interval", justify="right", no_wrap=True)
    table.add_column("verdict", overflow="fold")
    if wide:
        table.add_column("rounds", justify="right", no_wrap=True)
    for one in comparisons:
        table.add_row(*_cells(one, wide=wide, with_metric=with_metric))
    return table


def _cells(one: Comparison, *, wide: bool, with_metric: bool) -> list[Text]:
    cells = [Text(format.name(one.benchmark))]
    if with_metric:
        cells.append(Text(format.name(one.metric)))
    if wide:
        cells += [Text(format.quantity(v, one.unit)) for v in (one.base, one.candidate)]
    hint = summary.undecided_hint(one)
    verdict = Text(format.verdict_word(one), style=STYLE[one.verdict])
    if hint:
        verdict.append(f" ({hint})", style="dim")
    cells += [Text(format.change(one.change)), Text(format.interval(one.low, one.high)), verdict]
    return [*cells, Text(str(one.rounds))] if wide else cells


def _table(*columns: tuple[str, str]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for title, justify in columns:
        right = justify == "right"
        table.add_column(
            title, justify="right" if right else "left", overflow="fold", no_wrap=right
        )
    return table


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
