"""Which store of runs a command line means."""

import sys
import time
from pathlib import Path
from typing import NamedTuple

from assay.errors import UsageError
from assay.project.project import find_project


class ChosenStore(NamedTuple):
    """Where runs are kept: the store's folder (None: nowhere), and the
    name of this host's class.
    """

    folder: Path | None
    host: str = ""


def store_to_use(folder: Path | None) -> ChosenStore:
    """The store that is named, else the one beside `assay.toml`. Raises `InputError`."""
    project = find_project(Path.cwd())
    found = folder or (project.store if project else None)
    if found is not None:
        _settle_killed_sessions(found)
    return ChosenStore(found, project.configuration.host.class_ if project else "")


def required_store(folder: Path | None) -> Path:
    """The store that is named, else the one beside `assay.toml`. Raises `UsageError` without."""
    found = store_to_use(folder).folder
    if found is None:
        raise UsageError(
            "there is no assay.toml here or above, so no store of runs",
            where=str(Path.cwd()),
            hint="name the store with --store DIR, or make an assay.toml",
        )
    return found


def print_reading_progress(done: int, of: int) -> None:
    """Print progress while many runs are read into the catalogue: ten thousand take minutes."""
    if of > 200 and sys.stderr.isatty():
        end = "\n" if done == of else ""
        print(f"\r{done} of {of} new runs read", end=end, file=sys.stderr, flush=True)


def print_packing_progress(done: int, of: int) -> None:
    """Print progress while the files of many runs are packed."""
    if of > 200 and sys.stderr.isatty() and (done % 50 == 0 or done == of):
        end = "\n" if done == of else ""
        print(f"\r{done} of {of} runs packed", end=end, file=sys.stderr, flush=True)


def _settle_killed_sessions(folder: Path) -> None:
    """Store what killed sessions had measured, and print what is odd in the store."""
    if not folder.is_dir():
        return
    from assay.workflows.store import recover_journals

    for line in recover_journals(folder, time.time()):
        print(f"assay: {line}", file=sys.stderr)


def print_importing_progress(done: int, of: int) -> None:
    """Print progress of an import whose lines, one for each file, do not go to the terminal."""
    if of > 20 and sys.stderr.isatty() and not sys.stdout.isatty():
        end = "\n" if done == of else ""
        print(f"\r{done} of {of} files imported", end=end, file=sys.stderr, flush=True)
