"""Prints a comparison: verdict first, then the table, then how it was judged."""

import textwrap
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from assay.model import Comparison, Failure, Judgement
from assay.show.terminal.console import print_failures
from assay.show.terminal.text_table import TextCell, TextColumn, print_table
from assay.show.words import format, hints, remarks, strength, summary
from assay.show.words.columns import TITLES, ColumnKey
from assay.show.words.palette import TERMINAL

_WIDE = 140  # a terminal of at least so many columns has hints (what would decide) beside verdicts
_LONGEST_BESIDE = 64  # a longer hint stands below the table; its unit is characters
_MOST_HINTS = 10
_COLUMNS = (
    *(ColumnKey.BENCHMARK, ColumnKey.METRIC, ColumnKey.BASE, ColumnKey.CANDIDATE),
    *(ColumnKey.CHANGE, ColumnKey.INTERVAL, ColumnKey.VERDICT, ColumnKey.ROUNDS),
)
_RIGHT = {*_COLUMNS} - {ColumnKey.BENCHMARK, ColumnKey.METRIC, ColumnKey.VERDICT}
_NARROW = 90  # a terminal of fewer columns has no base, candidate and rounds in its table


def print_judgement(
    console: Console,
    judgement: Judgement,
    *,
    only: tuple[Sequence[str], Sequence[str]],
    failures: Sequence[Failure],
    gated: bool = False,
    every: bool = False,
) -> None:
    """Print the result. `gated`: it decides an exit code; `every`: show all rows."""
    comparisons = judgement.comparisons
    console.print(Text(summary.headline(comparisons), style="bold"))
    metric = summary.primary_metric(comparisons)
    main = [one for one in comparisons if one.metric == metric]
    shown = main if every else summary.worth_a_row(main)
    if shown:
        _print_comparisons(console, shown, with_metric=False)
    if left_out := summary.note_on_left_out(main, shown):
        _print_dim(console, left_out)
    others = summary.changes_beside_headline(comparisons)
    if others:
        console.print(Text("Other metrics that changed:"))
        _print_comparisons(console, others, with_metric=True)
    _print_notes(console, comparisons)
    print_failures(console, failures)
    for side, names in zip(("base", "candidate"), only, strict=True):
        if names:
            console.print(Text(f"Only in {side}: {_first_names(names)}"))
    for line in strength.sentences(judgement, gated=gated):
        console.print(Text(line))
    for line in summary.how_judged(judgement):
        _print_dim(console, line)


def _print_comparisons(
    console: Console, comparisons: Sequence[Comparison], *, with_metric: bool
) -> None:
    wide = console.width >= _NARROW
    hinted = console.width >= _WIDE
    left_out = set() if wide else {ColumnKey.BASE, ColumnKey.CANDIDATE, ColumnKey.ROUNDS}
    if not with_metric:
        left_out.add(ColumnKey.METRIC)
    keys = [key for key in _COLUMNS if key not in left_out]
    columns = [TextColumn(TITLES[key], right=key in _RIGHT) for key in keys]
    rows = [_cells(one, keys, hinted=hinted) for one in comparisons]
    print_table(console, columns, rows)
    _print_hints(console, [one for one in comparisons if not (hinted and _hint_fits(one))])


def _print_hints(console: Console, comparisons: Sequence[Comparison]) -> None:
    """Print hints (what would decide a verdict) that did not fit beside it, and every finding about
    launches or samples that are only sometimes slower.
    """
    told = [(one, hints.hint(one)) for one in comparisons]
    found = [(one, f"{format.verdict_word(one)} {hint}") for one, hint in told if one.findings]
    undecided = [(one, hint) for one, hint in told if hint and not one.findings]
    for one, hint in [*found, *undecided[:_MOST_HINTS]]:
        _print_dim(console, f"{format.name(one.benchmark, 60)}: {hint}")
    if len(undecided) > _MOST_HINTS:
        _print_dim(console, f"and {len(undecided) - _MOST_HINTS} more undecided")


def _hint_fits(one: Comparison) -> bool:
    return len(hints.hint(one)) <= _LONGEST_BESIDE


def _print_dim(console: Console, line: str) -> None:
    indented = textwrap.fill(line, console.width, initial_indent="  ", subsequent_indent="  ")
    console.print(Text(indented, style="dim"))


def _cells(one: Comparison, keys: Sequence[ColumnKey], *, hinted: bool) -> list[TextCell]:
    hint = hints.hint(one) if hinted and _hint_fits(one) else ""
    verdict = format.verdict_word(one) + (f" ({hint})" if hint else "")
    amounts = format.amounts(one)
    cells = {
        ColumnKey.BENCHMARK: TextCell(format.name(one.benchmark)),
        ColumnKey.METRIC: TextCell(format.name(one.metric)),
        ColumnKey.BASE: TextCell(amounts[0]),
        ColumnKey.CANDIDATE: TextCell(amounts[1]),
        ColumnKey.CHANGE: TextCell(format.change(one.change)),
        ColumnKey.INTERVAL: TextCell(format.interval_of(one)),
        ColumnKey.VERDICT: TextCell(verdict, TERMINAL[one.verdict]),
        ColumnKey.ROUNDS: TextCell(str(one.rounds)),
    }
    return [cells[key] for key in keys]


def _print_notes(console: Console, comparisons: Sequence[Comparison]) -> None:
    """Print each note once, with the benchmarks that it is about."""
    notes: dict[str, list[str]] = {}
    for one in comparisons:
        for note in remarks.remarks(one.notes):
            notes.setdefault(note, []).append(one.benchmark)
    for note, names in notes.items():
        about = dict.fromkeys(names)
        console.print(Text(f"note: {note}: {_first_names(list(about))}", style="yellow"))


def _first_names(names: Sequence[str], most: int = 5) -> str:
    shown = [format.name(one, 60) for one in names[:most]]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")
