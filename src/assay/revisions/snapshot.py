"""Uncommitted changes as a commit, made without touching the user's index or objects.

with snapshot(repository, without=(".assay",)) as taken:
    taken.commit, taken.objects      # the commit, and the folder with its new objects

It contains tracked files, and untracked ones that are not ignored. The same files always give the
same commit, because its author is fixed and its time is HEAD's. If nothing was changed it is HEAD
itself.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

import msgspec

from assay.bisection import Commit
from assay.errors import InputError
from assay.revisions.git import Git
from assay.revisions.repository import Repository
from assay.scratch import scratch_folder

_SUBJECT = "Uncommitted work"  # subject of a commit made of uncommitted changes
_NOBODY = ("assay", "assay@localhost")  # author of a commit made of uncommitted changes
# A folder with this file is a CMake build, which works only at the path where it was made.
_CMAKE = "CMakeCache.txt"


class Snapshot(msgspec.Struct, frozen=True):
    """A commit of the working tree as it is: a git that can read it, and the folder of its new
    objects, if any."""

    commit: Commit
    git: Git
    objects: Path | None = None


@contextmanager
def snapshot(repository: Repository, *, without: Sequence[str] = ()) -> Iterator[Snapshot]:
    """The working tree as a commit, without the paths in `without`. Raises `InputError`."""
    _refuse_dirty_submodules(repository)
    with scratch_folder() as folder:
        yield _taken_snapshot(repository, folder, without)


def _taken_snapshot(repository: Repository, folder: Path, without: Sequence[str]) -> Snapshot:
    """The working tree as a commit, whose new objects are in `folder`."""
    git = _separate_git(repository, folder)
    left_out = [*(path for path in without if not _is_ignored(git, path)), *_cmake_builds(git)]
    excluded = [f":(top,exclude,literal){path}" for path in left_out]
    git("-c", "core.fsmonitor=false", "add", "--all", "--", ":/", *excluded)
    tree = git("write-tree")
    head = repository.git.output_or_none("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    base = repository.resolve(head) if head else None
    if base and base.tree == tree:
        return Snapshot(base, repository.git)
    parents = (base.hash,) if base else ()
    time_s = base.time_s if base else 0
    made = _git_with_date(git, time_s)(
        "commit-tree", tree, *(word for one in parents for word in ("-p", one)), text=_SUBJECT
    )
    return Snapshot(Commit(made, tree, parents, time_s, _SUBJECT), git, folder / "objects")


def _separate_git(repository: Repository, folder: Path) -> Git:
    """A git with index and new objects in `folder`, which also reads the repository's objects."""
    index, objects = folder / "index", folder / "objects"
    objects.mkdir()
    theirs = repository.path_of("index")
    if theirs.exists():
        # The index says which files are unchanged, so that git need not read them. Its time is
        # copied too, as git reads files again that were written in the same second as the index or
        # later.
        shutil.copy2(theirs, index)
    places = {
        "GIT_INDEX_FILE": str(index),
        "GIT_OBJECT_DIRECTORY": str(objects),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": _quoted_path(repository.path_of("objects")),
    }
    return Git(repository.root, places)


def _quoted_path(path: Path) -> str:
    """A path in quotes, for git's lists of paths, which are separated by colons."""
    text = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def _git_with_date(git: Git, time_s: int) -> Git:
    """`git` with a fixed author, whose commits are dated `time_s`, so that equal files give equal
    commits."""
    name, mail = _NOBODY
    who = {
        f"GIT_{role}_{what}": value
        for role in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", name), ("EMAIL", mail), ("DATE", f"@{time_s} +0000"))
    }
    return Git(git.folder, {**git.environment, **who})


def _cmake_builds(git: Git) -> list[str]:
    """CMake build folders that are not ignored. They are left out: CMake refuses a copied one."""
    found = git("ls-files", "-z", "--others", "--exclude-standard", "--", f":(top,glob)**/{_CMAKE}")
    folders = [str(PurePosixPath(path).parent) for path in found.split("\0") if path]
    return [folder for folder in folders if folder != "."]


def _is_ignored(git: Git, path: str) -> bool:
    """Whether git ignores `path`: then it must not be named to `git add`, not even as excluded."""
    return git.output_or_none("check-ignore", "--quiet", "--no-index", "--", path) is not None


def _refuse_dirty_submodules(repository: Repository) -> None:
    """Raise `InputError` for changes inside a submodule: a commit holds only the submodule's
    commit."""
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
