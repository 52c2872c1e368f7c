"""The kinds of remote through which the soak's machines share: a row for each.

with KINDS["ssh"].opened(folder) as place: ...      # servers run until the end of the block
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))
from git_server import git_server
from object_store import ALONE, object_store
from remotes import Place, git_place, ssh_place

__all__ = ["KINDS", "Kind", "Place"]


class Kind(NamedTuple):
    """One kind of remote: how it is made, what to ask of it in the end."""

    opened: Callable[[Path], AbstractContextManager[Place]]  # in an empty folder all machines see
    # Half-written files that killed pushes left in the place; None: it has none of Assay's.
    parts: Callable[[Path], list[str]] | None
    wrong: Callable[[Path], list[str]] = lambda _: []  # what is damaged in the place itself
    is_compacted: bool = False  # `assay runs compact --store` may work on its folder
    has_cache: bool = False  # machines keep something of it in their caches


@contextmanager
def _folder(root: Path) -> Iterator[Place]:
    (root / "mount").mkdir()
    yield Place(str(root / "mount"), root / "mount", "folder")


@contextmanager
def _git_by_file(root: Path) -> Iterator[Place]:
    yield git_place(root, filters=True)


@contextmanager
def _git_by_http(root: Path) -> Iterator[Place]:
    place = git_place(root, filters=True)
    with git_server(root) as port:
        yield Place(f"git:http://127.0.0.1:{port}/{place.folder.name}", place.folder, "git")


@contextmanager
def _git_by_ssh(root: Path) -> Iterator[Place]:
    place = git_place(root, filters=True)
    with ssh_place(root) as server:
        host = server.written.removesuffix(str(server.folder))
        yield Place(f"git:{host}{place.folder}", place.folder, "git")


@contextmanager
def _s3(root: Path) -> Iterator[Place]:
    with object_store(root) as there, patch.dict(os.environ, {**ALONE, **there.variables()}):
        yield there.new_place()


def _git_is_wrong(repository: Path) -> list[str]:
    environment = {**os.environ, "GIT_DIR": str(repository)}
    words = ["git", "fsck", "--full", "--strict", "--no-dangling"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    said = [line for line in (done.stdout + done.stderr).splitlines() if line]
    return [f"git fsck ended with {done.returncode}: {' '.join(said)}"] if done.returncode else []


def _parts_of_files(folder: Path) -> list[str]:
    """Half-written files of folders, and of folders reached by ssh."""
    return sorted(path.name for path in folder.rglob(".assay-*"))


KINDS: dict[str, Kind] = {
    "folder": Kind(_folder, _parts_of_files, is_compacted=True),
    "git by file": Kind(_git_by_file, None, _git_is_wrong, has_cache=True),
    "git by http": Kind(_git_by_http, None, _git_is_wrong, has_cache=True),
    "git by ssh": Kind(_git_by_ssh, None, _git_is_wrong, has_cache=True),
    "ssh": Kind(ssh_place, _parts_of_files, is_compacted=True),
    "s3": Kind(_s3, None),
}
