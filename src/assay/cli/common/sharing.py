"""Which remote a command line means, and what is told of sharing with it."""

import sys
import time
from pathlib import Path

import typer

from assay.cli.common.exit_codes import BAD_INPUT, DONE
from assay.errors import UsageError
from assay.project.project import find_project


def shared(verb: str, root: Path, words: list[str]) -> int:
    """Push or pull; the exit code. Raises `UsageError`, `InputError`."""
    from assay.show.terminal.sharing import sharing_line
    from assay.workflows.sharing import opened, pulled, pushed

    written, beside = _remote(words)
    with opened(written, beside, _say) as remote:
        share = pushed if verb == "push" else pulled
        done = share(root, remote, time.time(), _tell)
    typer.echo(sharing_line(f"{verb}ed", done.where, done.runs, done.labels, done.there))
    if done.strangers:
        print(
            f"assay: {done.where}: {done.strangers} files are none of ours and are left alone",
            file=sys.stderr,
        )
    for line in done.problems:
        print(f"assay: {line}", file=sys.stderr)
    return BAD_INPUT if done.problems else DONE


def _remote(words: list[str]) -> tuple[str, Path]:
    """The one named, and the folder it is relative to; else the one of `assay.toml`."""
    if words:
        return words[0], Path.cwd()
    project = find_project(Path.cwd())
    if project and project.configuration.store.remote:
        return project.configuration.store.remote, project.folder
    hint = 'name one, or write remote = "git:origin" under [store] of assay.toml'
    raise UsageError("no remote is named", where="runs push, runs pull", hint=hint)


def _say(text: str) -> None:
    print(f"assay: {text}", file=sys.stderr, flush=True)


def _tell(done: int, of: int) -> None:
    """Progress where there is much to copy."""
    if of > 200 and sys.stderr.isatty():
        end = "\n" if done == of else ""
        print(f"\r{done} of {of} files copied", end=end, file=sys.stderr, flush=True)
