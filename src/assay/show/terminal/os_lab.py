"""Prints the OS lab's cases and what it measured, as tables."""

from collections.abc import Iterable, Sequence

from assay.model import Record
from assay.os_lab import CatalogueRun, OsCase, OsOption, OsTime
from assay.show.terminal.console import output_console, print_failures
from assay.show.terminal.text_table import TextCell, TextColumn, print_table
from assay.show.words import format

OF_LAUNCHES = "mean of launches but the outermost, each the median of its samples; 95 %"
OF_SAMPLES = "median of all samples, 95 %; of launches not made it says nothing"


def print_cases(cases: Iterable[OsCase]) -> None:
    """Print one line for each case of the OS lab."""
    rows = [
        [
            TextCell(case.name),
            TextCell(" ".join(_option_usage(one) for one in case.options)),
            TextCell(case.summary),
        ]
        for case in cases
    ]
    columns = [TextColumn("case"), TextColumn("options"), TextColumn("what one call is")]
    print_table(output_console(), columns, rows)


def print_runs(runs: Iterable[CatalogueRun]) -> None:
    """Print one line for each run of the catalogue: its name, and the command line it means."""
    rows = [[TextCell(run.name), TextCell("assay os " + _command(run))] for run in runs]
    print_table(output_console(), [TextColumn("run"), TextColumn("the same as")], rows)


def print_times(record: Record, times: Iterable[OsTime]) -> None:
    """Print the times that were measured, and what could not be measured."""
    console = output_console()
    columns = [TextColumn("benchmark")] + [
        TextColumn(title, right=True)
        for title in ("prc", "thr", "per call", "interval", "95th", "99th", "samples", "calls")
    ]
    measured = tuple(times)
    if measured:
        print_table(console, columns, [_row(time) for time in measured])
        console.print(_note(measured), style="dim", markup=False)
    print_failures(console, record.failures)


def markdown(cases: Iterable[OsCase], runs: Iterable[CatalogueRun]) -> str:
    """The table of docs/reference/os-cases.md."""
    of: dict[str, list[str]] = {}
    for run in runs:
        of.setdefault(run.case, []).append(run.name)
    lines = ["| case | since | options | one call is | runs |", "| --- | --- | --- | --- | --- |"]
    for case in cases:
        options = " ".join(f"`{_option_usage(one)}`" for one in case.options)
        names = ", ".join(of.get(case.name, []))
        lines.append(f"| {case.name} | {case.origin} | {options} | {case.summary} | {names} |")
    return "\n".join(lines) + "\n"


def _note(times: Sequence[OsTime]) -> str:
    """The line below the table on what its times and intervals mean."""
    kinds = {time.of_launches for time in times}
    if len(kinds) == 2:
        return f"per call: {OF_LAUNCHES}\nwith few launches: {OF_SAMPLES}"
    return f"per call: {OF_LAUNCHES if kinds.pop() else OF_SAMPLES}"


def _row(time: OsTime) -> list[TextCell]:
    return [
        TextCell(format.name(time.benchmark)),
        TextCell(str(time.processes)),
        TextCell(str(time.threads)),
        TextCell(format.quantity(time.typical, time.unit)),
        TextCell(
            f"{format.quantity(time.low, time.unit)} .. {format.quantity(time.high, time.unit)}"
        ),
        TextCell(format.quantity(time.p95, time.unit)),
        TextCell(format.quantity(time.p99, time.unit)),
        TextCell(str(time.samples)),
        TextCell(str(time.calls)),
    ]


def _option_usage(option: OsOption) -> str:
    if not option.takes:
        return f"-{option.letter}"
    return f"-{option.letter} {option.name}"


def _command(run: CatalogueRun) -> str:
    return " ".join(word for word in run.words if word)
