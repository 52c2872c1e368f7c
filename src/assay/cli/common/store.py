"""Which store of runs a command line means."""

import sys
import time
from pathlib import Path
from typing import NamedTuple

from assay.errors import UsageError
from assay.project.project import find_project


class StoreAsked(NamedTuple):
    """The folder of a store, None: runs are not kept in one; and the class of this host."""

    folder: Path | None
    host: str = ""


def store_asked(folder: Path | None) -> StoreAsked:
    """The one named; else the one beside `assay.toml`. Raises `InputError`."""
    project = find_project(Path.cwd())
    found = folder or (project.store if project else None)
    if found is not None:
        _look_after(found)
    return StoreAsked(found, project.configuration.host.class_ if project else "")


def store_needed(folder: Path | None) -> Path:
    """The one named or found; there must be one. Raises `UsageError`."""
    found = store_asked(folder).folder
    if found is None:
        raise UsageError(
            "there is no assay.toml here or above, so no store of runs",
            where=str(Path.cwd()),
            hint="name the store with --store DIR, or make an assay.toml",
        )
    return found


def tell_reading(done: int, of: int) -> None:
    """Progress where many runs are new to the catalogue: ten thousand take minutes."""
    if of > 200 and sys.stderr.isatty():
        end = "\n" if done == of else ""
        print(f"\r{done} of {of} new runs read", end=end, file=sys.stderr, flush=True)


def _look_after(folder: Path) -> None:
    """Store what killed sessions had measured, and say what is odd. Usually there is nothing."""
    if not folder.is_dir():
        return
    from assay.workflows.store import looked_after

    for line in looked_after(folder, time.time()):
        print(f"assay: {line}", file=sys.stderr)


def tell_importing(done: int, of: int) -> None:
    """Progress where what each file became is not seen on the terminal."""
    if of > 20 and sys.stderr.isatty() and not sys.stdout.isatty():
        end = "\n" if done == of else ""
        print(f"\r{done} of {of} files imported", end=end, file=sys.stderr, flush=True)
