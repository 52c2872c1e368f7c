"""The steps of a search as they are made, on disk: who is interrupted resumes where it was.

    with Steps(path, settings) as steps:
        search = steps.search(graph)       # with everything observed before
        steps.add(Rounds(commit, log_ratios))

A line of JSON for each step, on the disk before the next one begins. A last line cut short is
left out; settings are those the search began with.
"""

import hashlib
import os
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
_LARGEST = 64 * MB
_ANEW = "begin anew with --restart"


class Steps:
    """An open journal of one search."""

    def __init__(self, path: Path, settings: Settings) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = (small_if_there(path, _LARGEST, hint=_ANEW) or b"").split(b"\n")[:-1]
        self.settings, self.seen = _parsed(lines, path) if lines else (settings, [])
        self._file = path.open("ab")
        if not lines:
            self._file.truncate(0)  # half a first line
            self._write(json_bytes(settings))
        else:
            self._file.truncate(sum(len(line) + 1 for line in lines))

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


def _parsed(lines: list[bytes], path: Path) -> tuple[Settings, list[Rounds | Broken]]:
    try:
        settings = decoded(lines[0], Settings, where=str(path), what="the settings of a search")
        seen: list[Rounds | Broken] = [
            decoded(line, _STEP, where=str(path), what="a step of it") for line in lines[1:]
        ]
    except InputError as error:
        raise InputError(
            f"the steps made so far cannot be read ({error})",
            where=str(path),
            hint=_ANEW,
        ) from None
    return settings, list(seen)
