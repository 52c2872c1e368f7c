"""Carries out `assay runs push` and `assay runs pull`, and prints what they did."""

import sys
import time
from pathlib import Path

import typer

from assay.cli.common.exit_codes import BAD_INPUT, DONE
from assay.errors import UsageError
from assay.plurals import count
from assay.project.project import find_project


def push_or_pull(verb: str, root: Path, words: list[str]) -> int:
    """Push runs to a remote, or pull them; returns the exit code.

    Raises `UsageError`, `InputError`.
    """
    from assay.show.terminal.sharing import sharing_line
    from assay.workflows.sharing import opened_remote, pulled, pushed

    written, beside = _chosen_remote(words)
    with opened_remote(written, beside, _print_line) as remote:
        share = pushed if verb == "push" else pulled
        done = share(root, remote, time.time(), _print_progress)
    typer.echo(sharing_line(f"{verb}ed", done.where, done.runs, done.labels, done.there))
    if done.strangers:
        are = "is" if done.strangers == 1 else "are"
        told = f"{count(done.strangers, 'file')} {are} none of ours, or damaged, and left alone"
        print(f"assay: {done.where}: {told}", file=sys.stderr)
    for line in done.problems:
        print(f"assay: {line}", file=sys.stderr)
    return BAD_INPUT if done.problems else DONE


def _chosen_remote(words: list[str]) -> tuple[str, Path]:
    """The remote that the user named, else the one in `assay.toml`; and the folder from which a
    relative path of it counts.
    """
    if words:
        return words[0], Path.cwd()
    project = find_project(Path.cwd())
    if project and project.configuration.store.remote:
        return project.configuration.store.remote, project.folder
    hint = 'name one, or write remote = "git:origin" under [store] of assay.toml'
    raise UsageError("no remote is named", where="runs push, runs pull", hint=hint)


def _print_line(text: str) -> None:
    print(f"assay: {text}", file=sys.stderr, flush=True)


def _print_progress(done: int, of: int) -> None:
    """Print progress on a terminal if more than 200 files are to be copied."""
    if of > 200 and sys.stderr.isatty():
        end = "\n" if done == of else ""
        print(f"\r{done} of {of} files copied", end=end, file=sys.stderr, flush=True)
