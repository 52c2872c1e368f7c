"""Keeps the steps of a search on disk, so that an interrupted search is resumed where it was.

    with Steps(path, settings, commits, print) as steps:
        search = steps.search(graph)       # with all observations so far
        steps.add(Rounds(commit, log_ratios))

Each step is one line of JSON, written to disk before the next step begins; the first line holds
the settings that the search began with. A last line that is cut short is ignored.

The file lies in a store, which may come from a stranger. If it is not a regular file, is damaged,
has other commits or impossible numbers, it is renamed, a message says so, and the search begins
anew.
"""

import hashlib
import os
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from assay.encoding import json_bytes
from assay.errors import InputError
from assay.judge.bisection.graph import CommitGraph
from assay.judge.bisection.search import Broken, Rounds, Search
from assay.judge.bisection.settings import SearchSettings
from assay.small_files import MB, read_small_if_there
from assay.typed_json import decoded

_STEP: Any = Rounds | Broken
# Bytes; a larger journal of a search is refused. A step of 32 rounds takes 700 bytes.
_LARGEST = 64 * MB


class Steps:
    """The journal of one search for a slow commit, open for appending.

    Each line is a step: a commit with the rounds measured of it, or with the reason why it could
    not be measured.
    """

    def __init__(
        self,
        path: Path,
        settings: SearchSettings,
        commits: Collection[str],
        tell: Callable[[str], None],
    ) -> None:
        """Open the journal, or begin one. `tell` gets a message if a damaged file is put aside.

        Raises `InputError` if no journal can be kept.
        """
        self.settings, self.seen = settings, list[Rounds | Broken]()
        try:
            _make_folder(path.parent)
            lines = _usable_lines(path, commits, tell)
            self._file = path.open("ab")
        except OSError as error:
            raise _error_of_journal(path, error) from None
        if lines:
            self.settings, self.seen = _settings_and_steps(lines, commits)
        # drop a last line that was cut short
        self._file.truncate(sum(len(line) + 1 for line in lines))
        if not lines:
            self._write(json_bytes(settings))

    def search(self, graph: CommitGraph) -> Search:
        """The search, with the measurements of all steps in the journal."""
        return Search(graph, self.settings, tuple(self.seen))

    def add(self, step: Rounds | Broken) -> None:
        """Write one more step into the journal, at once. Raises `OSError`."""
        self._write(json_bytes(step))
        self.seen.append(step)

    def __enter__(self) -> "Steps":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _write(self, line: bytes) -> None:
        self._file.write(line + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def path_of_journal(folder: Path, *what: str) -> Path:
    """The path of a search's journal.

    Its name is a hash of `what`: repository, GOOD, BAD, benchmark and metric.
    """
    return folder / f"{hashlib.sha256(chr(0).join(what).encode()).hexdigest()[:32]}.jsonl"


def forget(path: Path) -> None:
    """Remove the journal of an earlier search; a folder in its place is renamed.

    `InputError` if it stays.
    """
    try:
        if path.is_dir() and not path.is_symlink():
            _put_aside(path)
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise _error_of_journal(path, error) from None


def _make_folder(folder: Path) -> None:
    """Make the folder for journals.

    Raises `OSError`, and `InputError` if the folder is a link that leads out of the store.
    """
    if folder.is_symlink():
        what = "is a symbolic link, and nothing in a store may lead out of it"
        raise InputError(what, where=str(folder), hint="remove it, if it is not yours")
    folder.mkdir(parents=True, exist_ok=True)


def _usable_lines(path: Path, commits: Collection[str], tell: Callable[[str], None]) -> list[bytes]:
    """The complete lines of the journal at `path`, or none if there is no such file.

    A damaged file is renamed, and `tell` says so. Raises `OSError`.
    """
    try:
        lines = _lines(path)
        if lines:
            _settings_and_steps(lines, commits)
    except InputError as error:
        aside = _put_aside(path)
        tell(f"{path} {error.what}: it is kept as {aside.name}, and the search begins anew")
        return []
    return lines


def _lines(path: Path) -> list[bytes]:
    """The complete lines of a journal. Raises `InputError` if the file cannot be a journal."""
    if path.is_symlink():
        raise InputError("is a symbolic link, and nothing in a store may lead out of it")
    return (read_small_if_there(path, _LARGEST) or b"").split(b"\n")[:-1]


def _settings_and_steps(
    lines: list[bytes], commits: Collection[str]
) -> tuple[SearchSettings, list[Rounds | Broken]]:
    """The settings and the steps that a journal's lines hold.

    Raises `InputError` for a damaged one.
    """
    settings = decoded(lines[0], SearchSettings, where="", what="a file of the steps of a search")
    seen: list[Rounds | Broken] = []
    for line in lines[1:]:
        step: Rounds | Broken = decoded(line, _STEP, where="", what="a file of steps")
        if step.commit not in commits:
            raise InputError("has a step of a commit that is not between GOOD and BAD")
        seen.append(step)
    return settings, seen


def _put_aside(path: Path) -> Path:
    """Rename a damaged file to a name that is not taken yet, and return the new path."""
    aside = path.with_name(f"{path.stem}.damaged-{os.urandom(4).hex()}")
    path.rename(aside)
    return aside


def _error_of_journal(path: Path, error: OSError) -> InputError:
    what = f"the steps of the search cannot be kept: {error.strerror}"
    return InputError(what, where=str(path), hint="name another store with --store")
