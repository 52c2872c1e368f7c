"""The steps of a search as they are made, on disk: who is interrupted resumes where it was.

    with Steps(path, settings, commits, print) as steps:
        search = steps.search(graph)       # with everything observed before
        steps.add(Rounds(commit, log_ratios))

A line of JSON for each step, on the disk before the next one begins. A last line cut short is
left out; settings are those the search began with.

The file lies in a store, which may be a stranger's. One that is no file, is damaged, is of other
commits or holds numbers that nobody measures is put aside under another name, which is told, and
the search begins anew.
"""

import hashlib
import os
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from assay.encoding import json_bytes
from assay.errors import InputError
from assay.judge.bisection.graph import Graph
from assay.judge.bisection.search import Broken, Rounds, Search
from assay.judge.bisection.settings import Settings
from assay.small_files import MB, small_if_there
from assay.typed_json import decoded

_STEP: Any = Rounds | Broken
_LARGEST = 64 * MB  # a step of 32 rounds is 700 bytes


class Steps:
    """An open journal of one search."""

    def __init__(
        self,
        path: Path,
        settings: Settings,
        commits: Collection[str],
        tell: Callable[[str], None],
    ) -> None:
        """`tell` is told what is left out. Raises `InputError`: nothing can be kept there."""
        self.settings, self.seen = settings, list[Rounds | Broken]()
        try:
            _make_folder(path.parent)
            lines = _kept(path, commits, tell)
            self._file = path.open("ab")
        except OSError as error:
            raise _unusable(path, error) from None
        if lines:
            self.settings, self.seen = _parsed(lines, commits)
        self._file.truncate(sum(len(line) + 1 for line in lines))  # half a line may follow
        if not lines:
            self._write(json_bytes(settings))

    def search(self, graph: Graph) -> Search:
        """The search, with everything observed so far."""
        return Search(graph, self.settings, tuple(self.seen))

    def add(self, step: Rounds | Broken) -> None:
        """Keep one more. Raises `OSError`."""
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


def place_of(folder: Path, *what: str) -> Path:
    """The journal of one search: of a repository, two commits, a benchmark and a metric."""
    return folder / f"{hashlib.sha256(chr(0).join(what).encode()).hexdigest()[:32]}.jsonl"


def forget(path: Path) -> None:
    """The steps made before, if any; what is no file is put aside. Raises `InputError`."""
    try:
        if path.is_dir() and not path.is_symlink():
            _put_aside(path)
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise _unusable(path, error) from None


def _make_folder(folder: Path) -> None:
    """Raises `OSError`, and `InputError` where a link would lead out of the store."""
    if folder.is_symlink():
        what = "is a symbolic link, and nothing in a store may lead out of it"
        raise InputError(what, where=str(folder), hint="remove it, if it is not yours")
    folder.mkdir(parents=True, exist_ok=True)


def _kept(path: Path, commits: Collection[str], tell: Callable[[str], None]) -> list[bytes]:
    """The whole lines of a file that can be gone on with; none: there is none. Raises `OSError`."""
    try:
        lines = _lines(path)
        if lines:
            _parsed(lines, commits)
    except InputError as error:
        aside = _put_aside(path)
        tell(f"{path} {error.what}: it is kept as {aside.name}, and the search begins anew")
        return []
    return lines


def _lines(path: Path) -> list[bytes]:
    """Raises `InputError` where it cannot be a file of steps."""
    if path.is_symlink():
        raise InputError("is a symbolic link, and nothing in a store may lead out of it")
    return (small_if_there(path, _LARGEST) or b"").split(b"\n")[:-1]


def _parsed(lines: list[bytes], commits: Collection[str]) -> tuple[Settings, list[Rounds | Broken]]:
    """Raises `InputError`."""
    settings = decoded(lines[0], Settings, where="", what="a file of the steps of a search")
    seen: list[Rounds | Broken] = []
    for line in lines[1:]:
        step: Rounds | Broken = decoded(line, _STEP, where="", what="a file of steps")
        if step.commit not in commits:
            raise InputError("has a step of a commit that is not between GOOD and BAD")
        seen.append(step)
    return settings, seen


def _put_aside(path: Path) -> Path:
    """Under a name that nothing has."""
    aside = path.with_name(f"{path.stem}.damaged-{os.urandom(4).hex()}")
    path.rename(aside)
    return aside


def _unusable(path: Path, error: OSError) -> InputError:
    what = f"the steps of the search cannot be kept: {error.strerror}"
    return InputError(what, where=str(path), hint="name another store with --store")
