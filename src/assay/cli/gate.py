"""assay gate [BASE]: did the work here get slower since it left BASE? For CI."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common.command import command
from assay.cli.common.gate import Gate, parsed
from assay.cli.compare import CompareOptions, carry_out

_Base = Annotated[
    str,
    typer.Argument(metavar="BASE", help="Branch that this one left (default: main or master)."),
]
_Candidate = Annotated[
    str, typer.Argument(metavar="CANDIDATE", help="What to judge (default: . as it is now).")
]
_Gate = Annotated[str | None, typer.Option("--gate", hidden=True)]  # accepted, but not needed
_Strict = Annotated[bool, typer.Option("--strict", help="Exit 4 too when one is undecided.")]


@dataclass(frozen=True, kw_only=True)
class GateOptions(CompareOptions):
    """The arguments of `assay gate`."""

    base: _Base = ""
    candidate: _Candidate = "."
    gate: _Gate = None
    strict: _Strict = False

    def gate_asked(self) -> Gate | None:
        """The gate, which this verb always has. Raises `UsageError`."""
        kind = "strict" if self.strict else self.gate or "slower"
        return parsed(kind, self.gate_strength, allow_missing=self.allow_missing)


@command(GateOptions)
def gate(options: GateOptions) -> int:
    """Compare the work here with the commit at which it left BASE, and answer by exit code.

    As `assay compare git:MERGE-BASE . --gate`: 0 passes, 1 something is slower,
    3 something could not be measured, 4 something was not judged.
    """
    base = _left_at(options.base, options.candidate)
    found = replace(options, base=base)
    plan, files = found.plan(), found.files()
    return carry_out(
        plan,
        files,
        found.gate_asked(),
        quiet=found.quiet,
        like=found.like_compare_py(),
        every=found.all,
        waits=found.waits(),
    )


def _left_at(base: str, candidate: str) -> str:
    """The commit at which `candidate` left `base` (the merge base). Raises `InputError`."""
    from assay.workflows.common.merge_base import left_at

    return left_at(Path.cwd(), base.removeprefix("git:"), candidate.removeprefix("git:"))
