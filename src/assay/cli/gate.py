"""assay gate [BASE]: did the work here get slower since it left BASE? For CI."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from assay.cli.common.command import command
from assay.cli.common.compare_asked import CompareRequest
from assay.cli.common.comparison_options import ComparisonOptions
from assay.cli.compare import carry_out
from assay.errors import UsageError

_Base = Annotated[
    str,
    typer.Argument(metavar="BASE", help="Branch that this one left (default: main or master)."),
]
_Candidate = Annotated[
    str, typer.Argument(metavar="CANDIDATE", help="What to judge (default: . as it is now).")
]
_OF_COMPARE = (
    "`assay compare git:MERGE-BASE . --gate` has it; `assay gate --help` lists what a gate has"
)
_Strict = Annotated[bool, typer.Option("--strict", help="Exit 4 too when one is undecided.")]


@dataclass(frozen=True, kw_only=True)
class GateOptions(ComparisonOptions):
    """The arguments of `assay gate`."""

    base: _Base = ""
    candidate: _Candidate = "."
    strict: _Strict = False

    def request(self) -> CompareRequest:
        """The comparison of the work here with the commit at which it left BASE.

        Raises `InputError`, `UsageError`.
        """
        kind = "strict" if self.strict else "slower"
        return self.comparison_of(_merge_base(self.base, self.candidate), self.candidate, kind)


class GateCommand(TyperCommand):
    """The Typer command of `assay gate`.

    If it is given an option that only `assay compare` has, its error message says so.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments as for every verb.

        Raises `UsageError` for an option of `assay compare`.
        """
        try:
            return super().parse_args(ctx, args)
        except typer.exceptions.TyperException as error:
            option = getattr(error, "option_name", None)
            if option in _option_names("compare") - _option_names("gate"):
                what = "is an option of `assay compare`, not of `assay gate`"
                raise UsageError(what, where=option, hint=_OF_COMPARE) from None
            raise


def _option_names(verb: str) -> set[str]:
    """All options of a verb, as they are typed, such as `--filter` and `-o`."""
    from assay.cli.app import app

    verbs: Any = typer.main.get_command(app)
    return {name for one in verbs.commands[verb].params for name in one.opts}


COMMAND = GateCommand  # The class of this verb's Typer command, which `assay.cli.app` looks for.


@command(GateOptions)
def gate(options: GateOptions) -> int:
    """Compare the work here with the commit at which it left BASE, and answer by exit code.

    As `assay compare git:MERGE-BASE . --gate`: 0 passes, 1 something is slower,
    3 something could not be measured, 4 something was not judged.
    """
    return carry_out(options.request())


def _merge_base(base: str, candidate: str) -> str:
    """The commit at which `candidate` left `base` (the merge base). Raises `InputError`."""
    from assay.workflows.common.merge_base import merge_base_target

    return merge_base_target(Path.cwd(), base.removeprefix("git:"), candidate.removeprefix("git:"))
