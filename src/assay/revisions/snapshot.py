"""Uncommitted work as a commit, made without touching the user's index or objects.

with snapshot(repository, without=(".assay",)) as taken:
    taken.commit, taken.objects      # the commit, and the folder that holds what is new in it

The files are those that are tracked, and those that are not ignored. The same files give the same
commit: its author and its time are those of nobody and of HEAD. Where nothing was changed it is
HEAD itself.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from assay.bisection import Commit
from assay.errors import InputError
from assay.revisions.git import Git
from assay.revisions.repository import Repository
from assay.scratch import scratch_folder

_SUBJECT = "Uncommitted work"
_NOBODY = ("assay", "assay@localhost")
_CMAKE = "CMakeCache.txt"  # the folder it lies in is a build, bound to the path it was made at


@dataclass(frozen=True)
class Snapshot:
    """A commit, a git that can read it, and its objects that the repository has not, if any."""

    commit: Commit
    git: Git
    objects: Path | None = None


@contextmanager
def snapshot(repository: Repository, *, without: Sequence[str] = ()) -> Iterator[Snapshot]:
    """The working tree now, apart from the paths in `without`. Raises `InputError`."""
    _refuse_dirty_submodules(repository)
    with scratch_folder() as folder:
        yield _taken(repository, folder, without)


def _taken(repository: Repository, folder: Path, without: Sequence[str]) -> Snapshot:
    git = _apart(repository, folder)
    left_out = [*(path for path in without if not _is_ignored(git, path)), *_cmake_builds(git)]
    excluded = [f":(top,exclude,literal){path}" for path in left_out]
    git("-c", "core.fsmonitor=false", "add", "--all", "--", ":/", *excluded)
    tree = git("write-tree")
    head = repository.git.tried("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    base = repository.resolve(head) if head else None
    if base and base.tree == tree:
        return Snapshot(base, repository.git)
    parents = (base.hash,) if base else ()
    time_s = base.time_s if base else 0
    made = _dated(git, time_s)(
        "commit-tree", tree, *(word for one in parents for word in ("-p", one)), text=_SUBJECT
    )
    return Snapshot(Commit(made, tree, parents, time_s, _SUBJECT), git, folder / "objects")


def _apart(repository: Repository, folder: Path) -> Git:
    """A git whose index and new objects lie in `folder`; it reads the repository's."""
    index, objects = folder / "index", folder / "objects"
    objects.mkdir()
    theirs = repository.path_of("index")
    if theirs.exists():
        # It knows which files are as they were, so that they are not read again. With its time:
        # git reads a file again that was written in the second of the index or later.
        shutil.copy2(theirs, index)
    places = {
        "GIT_INDEX_FILE": str(index),
        "GIT_OBJECT_DIRECTORY": str(objects),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": _listed(repository.path_of("objects")),
    }
    return Git(repository.root, places)


def _listed(path: Path) -> str:
    """A path for a list that colons separate: git understands one in quotes."""
    text = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def _dated(git: Git, time_s: int) -> Git:
    """The same git, writing commits of nobody at a known time."""
    name, mail = _NOBODY
    who = {
        f"GIT_{role}_{what}": value
        for role in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", name), ("EMAIL", mail), ("DATE", f"@{time_s} +0000"))
    }
    return Git(git.folder, {**git.environment, **who})


def _cmake_builds(git: Git) -> list[str]:
    """Build folders that nobody ignores. A copy of one would stop CMake: it is of another path."""
    found = git("ls-files", "-z", "--others", "--exclude-standard", "--", f":(top,glob)**/{_CMAKE}")
    folders = [str(PurePosixPath(path).parent) for path in found.split("\0") if path]
    return [folder for folder in folders if folder != "."]


def _is_ignored(git: Git, path: str) -> bool:
    """Git adds nothing of it then, and refuses to add anything when its name is among the words."""
    return git.tried("check-ignore", "--quiet", "--no-index", "--", path) is not None


def _refuse_dirty_submodules(repository: Repository) -> None:
    """A commit names a submodule's commit and holds nothing of what was changed in it since."""
    status = repository.git("status", "--porcelain=v2", "-z", "--ignore-submodules=none")
    for line in status.split("\0"):
        words = line.split(" ", 8)
        if words[0] in ("1", "2") and words[2][0] == "S" and ("M" in words[2] or "U" in words[2]):
            path = words[8].split(" ", 1)[1] if words[0] == "2" else words[8]
            raise InputError(
                "this submodule holds work that is not committed, which `.` cannot take along",
                where=str(repository.root / path),
                hint="commit it there, or compare a committed revision: git:HEAD",
            )
