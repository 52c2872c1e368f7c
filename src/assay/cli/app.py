"""All verbs in one place: the table of contents of the command line.

The module of a verb is imported when that verb is asked for, so that `assay --help` stays
fast and one verb does not wait for what another needs.
"""

from collections import UserDict
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup


class Verb(NamedTuple):
    """A verb of the command line: its module in `assay.cli`, its
    function there, and its purpose.
    """

    module: str
    function: str
    purpose: str


VERBS = {
    "run": Verb("run", "run", "Measure one target by itself; keep the record."),
    "compare": Verb("compare", "compare", "Measure two side by side: which is slower, how sure?"),
    "gate": Verb("gate", "gate", "Did this branch get slower? Answered by exit code, for CI."),
    "why": Verb("why", "why", "Which function does more than before, and where?"),
    "overhead": Verb("overhead", "overhead", "What tracers and other conditions cost a benchmark."),
    "multiview": Verb("multiview", "multiview", "Put many files of results beside the first."),
    "history": Verb("history", "history", "How benchmarks changed over revisions, and where."),
    "bisect": Verb("bisect", "bisect", "Which commit made a benchmark slower, and how sure?"),
    "serve": Verb("serve", "serve", "The runs that were kept as pages: what changed, where."),
    "runs": Verb("runs", "runs", "Runs that were kept: list, show, name, import, share."),
    "report": Verb("report", "report", "Draw what was measured: one page, or one picture."),
    "list": Verb("listing", "list_", "Print the names of a target's benchmarks."),
    "floor": Verb("floor", "floor", "Measure a target against itself: what means nothing here?"),
    "trust": Verb("trust", "trust", "Try verdicts out here: copies, known slowdowns of them."),
    "index": Verb("index_lab", "index", "Drive an index or key-value store behind a plug-in."),
    "suite": Verb("suite", "suite", "Run a suite, and say which of its members to take."),
    "os": Verb("os_lab", "os_lab", "Measure system calls and C library functions."),
    "doctor": Verb("doctor", "doctor", "Is this host fit to measure on, and what to do about it?"),
    "init": Verb("init", "init", "Write an assay.toml by looking at the project here."),
    "completion": Verb("completion", "completion", "Make bash, zsh or fish complete all this."),
    "demo": Verb("demo", "demo", "Compare two builds of a log library: a first verdict."),
}


class _Commands(UserDict[str, Any]):
    """Name of a verb -> its Typer command, which is made only when it is asked for."""

    def __getitem__(self, name: str) -> Any:
        return _command(name, self.data[name])


class _Verbs(TyperGroup):
    """The command `assay` itself, with all verbs."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _Commands(VERBS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the verbs from `VERBS`; the base class would import the module of every verb."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, verb.purpose) for name, verb in VERBS.items()])


def _command(name: str, verb: Verb) -> Any:
    module = import_module(f"assay.cli.{verb.module}")
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    settings = {"help_option_names": ["-h", "--help"], **getattr(module, "SETTINGS", {})}
    kind = getattr(module, "COMMAND", TyperCommand)
    single.command(name, cls=kind, context_settings=settings)(getattr(module, verb.function))
    return typer.main.get_command(single)


app = typer.Typer(
    cls=_Verbs,
    name="assay",
    help="Did this get slower, by how much, how sure are we, and why?",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from assay.cli.common.version import version_lines

        typer.echo("\n".join(version_lines()))
        raise typer.Exit


@app.callback()
def root(
    version: bool = typer.Option(
        False,
        "--version",
        callback=_version,
        is_eager=True,
        help="Print the version, and what Assay is made of here.",
    ),
) -> None:
    """Did this get slower, by how much, how sure are we, and why?"""
