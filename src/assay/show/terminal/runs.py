"""Prints the runs of a store as a table, the newest first."""

import time
from collections.abc import Mapping, Sequence

import msgspec
from rich.text import Text

from assay.encoding import json_bytes
from assay.history import RunRow
from assay.show.terminal.console import output_console
from assay.show.terminal.text_table import TextCell, TextColumn, print_table
from assay.show.words import format

_COLUMNS = (
    TextColumn("run"),
    TextColumn("measured"),
    TextColumn("kind"),
    TextColumn("revision"),
    TextColumn("benchmarks", right=True),
    TextColumn("samples", right=True),
    TextColumn("what"),
)


def print_runs(rows: Sequence[RunRow], labels: Mapping[str, str], *, last: int) -> None:
    """Print the newest `last` runs (0: all), then runs that could not be read."""
    console = output_console()
    good = [row for row in rows if not row.problem]
    shown = good[-last:] if last else good
    if not good:
        console.print("no runs yet")
    else:
        of_run = _by_run(labels)
        print_table(console, _COLUMNS, [_cells(row, of_run) for row in reversed(shown)])
    if len(shown) < len(good):
        older = f"{len(good) - len(shown)} older ones: assay runs --last 0"
        console.print(Text(older, "dim"))
    for row in rows:
        if row.problem:
            console.print(Text(f"cannot be read: {format.visible(row.problem)}", "yellow"))


def runs_json(rows: Sequence[RunRow], labels: Mapping[str, str]) -> bytes:
    """All runs, for programs: a list of objects, the oldest first."""
    of_run = _by_run(labels)
    listed = [{**_fields(row), "labels": of_run.get(row.run, [])} for row in rows]
    return msgspec.json.format(json_bytes({"runs": listed}), indent=2) + b"\n"


def _fields(row: RunRow) -> dict[str, object]:
    if row.problem:
        return {"run": row.run, "problem": row.problem}
    names = ("run", "time_s", "host", "revision", "kind", "target", "benchmarks", "samples")
    return {name: getattr(row, name) for name in names}


def _by_run(labels: Mapping[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for label, run in labels.items():
        found.setdefault(run, []).append(label)
    return found


def _cells(row: RunRow, labels: Mapping[str, list[str]]) -> list[TextCell]:
    named = ", ".join(labels.get(row.run, ()))
    measured = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.time_s))
    return [
        TextCell(f"{row.run} ({named})" if named else row.run),
        TextCell(measured),
        TextCell(row.kind),
        TextCell(_short(row.revision)),
        TextCell(str(row.benchmarks)),
        TextCell(str(row.samples)),
        TextCell(format.name(row.target)),
    ]


def _short(revision: str) -> str:
    """The first characters of a revision's hash, as git shows them; "-dirty" at its end is kept."""
    if ".." in revision:
        return revision
    commit, dash, rest = revision.partition("-")
    return commit[:9] + dash + rest
