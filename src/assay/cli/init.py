"""assay init: writes an assay.toml for the project here, and prints what it was derived from."""

from dataclasses import dataclass
from pathlib import Path

import typer

from assay.cli.common.command import command
from assay.cli.common.exit_codes import DONE


@dataclass(frozen=True, kw_only=True)
class InitOptions:
    """The arguments of `assay init`: none, as it looks at the current folder."""


@command(InitOptions)
def init(options: InitOptions) -> int:
    """Write an assay.toml by looking at the project in this folder.

    CMake, Meson, Cargo, Go, make and pytest are known. Nothing is run. One that is there
    is never changed.
    """
    from assay.show.words.format import visible
    from assay.workflows.init import write_guessed_project

    found = write_guessed_project(Path.cwd())
    typer.echo(f"wrote assay.toml for a project of {found.kind}, as there is {found.found}:")
    for line in found.commands:
        typer.echo(f"  builds with   {visible(line)}")
    typer.echo(f"  measures      {visible(found.run)}")
    typer.echo(f"                ({visible(found.why)})")
    typer.echo("look at it, commit it, then: assay run git:HEAD")
    return DONE
