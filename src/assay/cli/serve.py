"""assay serve: the store of runs as pages, for a browser on this machine or as files."""

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.common import options as opt
from assay.cli.common.command import command
from assay.cli.common.exit_codes import DONE, SIGNALLED

_PORT = 8340
_NAMED = 5  # after an export, at most so many pages that could not be made are named
_Port = Annotated[
    int, typer.Option("--port", metavar="N", min=0, max=65535, help="0: any that is free.")
]
_Bind = Annotated[
    str,
    typer.Option(
        "--bind",
        metavar="ADDRESS",
        help="Listen here; for other machines too: then only with the token that is printed.",
    ),
]
_Name = Annotated[
    list[str] | None,
    typer.Option("--name", metavar="HOST", help="A name browsers reach this machine by (repeat)."),
]
_Export = Annotated[
    Path | None,
    typer.Option("--export", metavar="DIR", help="Write the pages as files, and serve nothing."),
]


@dataclass(frozen=True, kw_only=True)
class ServeOptions:
    """The arguments of `assay serve`."""

    port: _Port = _PORT
    bind: _Bind = "127.0.0.1"
    name: _Name = None
    export: _Export = None
    store: opt.Store = None


@command(ServeOptions)
def serve(options: ServeOptions) -> int:
    """Show the runs that were kept as pages: what changed, every benchmark, any two runs.

    Pages are read only, but for what you say of a change. New runs appear as they
    are stored. Ctrl-C ends it.
    """
    from assay.cli.common.store import required_store

    root = required_store(options.store)
    return _export(root, options.export) if options.export else _serve(root, options)


def _export(root: Path, folder: Path) -> int:
    from assay.web.export import export_pages

    done = export_pages(root, folder, _print_progress)
    typer.echo(f"{done.pages} pages: {folder / 'index.html'}")
    if done.impossible:
        typer.echo(f"{len(done.impossible)} of them cannot be shown, and say why:")
        for name, why in list(done.impossible.items())[:_NAMED]:
            typer.echo(f"  {folder / name}: {why}")
    return DONE


def _serve(root: Path, options: ServeOptions) -> int:
    from assay.web.pages import Pages
    from assay.web.server import listen_at, serve, state_of_store

    place = listen_at(options.bind, options.port, options.name or ())
    seen = state_of_store(root)
    typed = f"--store {shlex.quote(str(options.store))}" if options.store else ""
    pages = Pages(root, served=True, tell=_print_progress, typed=typed)
    typer.echo(f"{place.url}  (Ctrl-C ends it)")
    sys.stdout.flush()
    by = serve(root, pages, place, _print_error, seen)
    return DONE if by is None else SIGNALLED + by


def _print_progress(done: int, of: int) -> None:
    """Print progress while many histories are judged, as at the first time, which takes minutes."""
    if of > 200 and sys.stderr.isatty():
        end = "\n" if done == of else ""
        print(f"\r{done} of {of} histories judged", end=end, file=sys.stderr, flush=True)


def _print_error(what: str) -> None:
    print(f"assay: {what}", file=sys.stderr)
