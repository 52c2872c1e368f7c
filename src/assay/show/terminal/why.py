"""Why one build does more than the other: for each benchmark its sentences."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from assay.explained import Explained, Unanswered
from assay.model import Failure
from assay.show.terminal.console import output_console, print_failures
from assay.show.words import format, why_time, why_work
from assay.timed import Timed
from assay.work import ExactWork


def print_why(
    explained: Sequence[Explained],
    *,
    only: tuple[Sequence[str], Sequence[str]],
    failures: Sequence[Failure],
    unavailable: Sequence[Unanswered],
    interrupted: bool,
) -> None:
    """Answers first, then what could not be answered."""
    console = output_console()
    for one in explained:
        _print_one(console, one)
    print_failures(console, failures)
    for missing in unavailable:
        console.print(Text(f"not asked: {_unanswered(missing)}", "yellow"))
    for side, names in zip(("base", "candidate"), only, strict=True):
        if names:
            listed = ", ".join(format.name(name, 60) for name in names[:5])
            more = f" and {len(names) - 5} more" if len(names) > 5 else ""
            console.print(Text(f"only in the {side}: {listed}{more}", "dim"))
    if interrupted:
        console.print(Text("interrupted: this is what was found until then", "yellow"))


def _print_one(console: Console, one: Explained) -> None:
    name = Text(format.name(one.benchmark), "bold")
    if one.work is not None:
        _print_work(console, name, one.work)
    else:
        console.print(name)
    if one.time is not None:
        _print_time(console, one.time)
    for missing in one.unanswered:
        console.print(Text(f"  {_unanswered(missing)}", "dim"))


def _print_work(console: Console, name: Text, work: ExactWork) -> None:
    console.print(Text.assemble(name, f": {why_work.headline(work)}"))
    for number, line in enumerate(why_work.changes(work), 1):
        console.print(Text(f"  {number}. {line}"))
    for line in (*why_work.moved(work), *why_work.setup(work)):
        console.print(Text(f"  {line}"))
    for note in work.notes:
        console.print(Text(f"  {note}", "dim"))


def _print_time(console: Console, time: Timed) -> None:
    console.print(Text(f"  time: {why_time.headline(time)}"))
    for number, line in enumerate(why_time.changes(time), 1):
        console.print(Text(f"    {number}. {line}"))
    for line in (*why_time.rest(time), *why_time.moved(time)):
        console.print(Text(f"    {line}"))
    for note in time.notes:
        console.print(Text(f"    {note}", "dim"))


def _unanswered(missing: Unanswered) -> str:
    side = f" ({missing.side})" if missing.side else ""
    return f"{missing.stage}{side}: {format.visible(missing.why)}"
