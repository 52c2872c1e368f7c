"""Why one build does more than the other: for each benchmark its sentences."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from assay.model import Failure
from assay.show.terminal.console import output_console, print_failures
from assay.show.words import format, why
from assay.work import Explained


def print_why(
    explained: Sequence[Explained],
    *,
    only: tuple[Sequence[str], Sequence[str]],
    failures: Sequence[Failure],
    interrupted: bool,
) -> None:
    """Answers first, then what could not be answered."""
    console = output_console()
    for one in explained:
        _print_one(console, one)
    print_failures(console, failures)
    for side, names in zip(("base", "candidate"), only, strict=True):
        if names:
            listed = ", ".join(format.name(name, 60) for name in names[:5])
            more = f" and {len(names) - 5} more" if len(names) > 5 else ""
            console.print(Text(f"only in the {side}: {listed}{more}", "dim"))
    if interrupted:
        console.print(Text("interrupted: this is what was found until then", "yellow"))


def _print_one(console: Console, one: Explained) -> None:
    console.print(Text.assemble((format.name(one.benchmark), "bold"), f": {why.headline(one)}"))
    for number, line in enumerate(why.changes(one), 1):
        console.print(Text(f"  {number}. {line}"))
    for line in (*why.moved(one), *why.setup(one)):
        console.print(Text(f"  {line}"))
    for note in one.notes:
        console.print(Text(f"  {note}", "dim"))
