"""Prints why one build does more than the other: sentences for each benchmark."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from assay.explained import Unanswered
from assay.findings import Findings, StageName
from assay.model import Failure
from assay.show.terminal.console import output_console, print_failures
from assay.show.words import format, why_answer, why_first

_TITLES = {StageName.MEMORY: "memory", StageName.SYSCALLS: "system calls"}


def print_why(
    explained: Sequence[Findings],
    *,
    only: tuple[Sequence[str], Sequence[str]],
    failures: Sequence[Failure],
    unavailable: Sequence[Unanswered],
    interrupted: bool,
) -> None:
    """Print the answers for all benchmarks, then what could not be answered, and why."""
    console = output_console()
    for one in explained:
        _print_one(console, one)
    print_failures(console, failures)
    for missing in unavailable:
        console.print(Text(f"not asked: {why_answer.unanswered(missing)}", "yellow"))
    for side, names in zip(("base", "candidate"), only, strict=True):
        if names:
            listed = ", ".join(format.name(name, 60) for name in names[:5])
            more = f" and {len(names) - 5} more" if len(names) > 5 else ""
            console.print(Text(f"only in the {side}: {listed}{more}", "dim"))
    if interrupted:
        console.print(Text("interrupted: this is what was found until then", "yellow"))


def print_missing(why: str) -> None:
    """Say that nothing can be explained, and why."""
    output_console().print(Text(f"why: {format.visible(why)}", "yellow"))


def _print_one(console: Console, found: Findings) -> None:
    one = found.evidence
    name = Text(format.name(one.benchmark), "bold")
    heads = {stage.stage: why_answer.head(stage) for stage in found.stages}
    first, work = why_first.sentence(found.first), heads.get(StageName.WORK, "")
    console.print(Text.assemble(name, f": {first or work}" if first or work else ""))
    for line in one.caveats:
        console.print(Text(f"  {format.visible(line)}", "yellow"))
    if first and work:
        console.print(Text(f"  work: {work}"))
    if StageName.TIME in heads:
        console.print(Text(f"  time: {heads[StageName.TIME]}"))
    for number, line in enumerate(why_answer.ranked_sentences(found), 1):
        console.print(Text(f"  {number}. {line}"))
    for line in why_answer.lines_on_others(found):
        console.print(Text(f"  {line}"))
    for stage in found.stages:
        if stage.stage in _TITLES:
            console.print(Text(f"  {_TITLES[stage.stage]}: {heads[stage.stage]}"))
        before = "code: " if stage.stage is StageName.CODE else ""
        for line in why_answer.lines(found, stage):
            console.print(Text(f"  {before}{line}"))
    for note in found.notes:
        console.print(Text(f"  {format.visible(note)}", "dim"))
    for missing in one.unanswered:
        console.print(Text(f"  {why_answer.unanswered(missing)}", "dim"))
