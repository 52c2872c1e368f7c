"""Prints the checks of `assay doctor` as a table."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from assay.plurals import count
from assay.show.terminal.console import output_console

_STYLE = {"good": "green", "note": "dim", "bad": "bold yellow"}


def print_checks(checks: Sequence[tuple[str, str, str, str]]) -> None:
    """Print the checks: each is a name, a status, what was found, and what to do about it."""
    console = output_console()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for title in ("check", "", "found", "what to do"):
        table.add_column(title, overflow="fold")
    for name, status, found, advice in checks:
        table.add_row(name, Text(status, style=_STYLE[status]), Text(found), Text(advice))
    console.print(table)
    bad = sum(status == "bad" for _, status, _, _ in checks)
    console.print(
        f"{count(bad, 'thing')} to mend before measuring."
        if bad
        else "Nothing here disturbs measuring that could be mended."
    )
