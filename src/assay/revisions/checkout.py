"""Checks out a commit into a folder of its own, whose `.git` borrows the user's objects.

check_out(repository, snapshot, folder)

The folder is a repository, so that `git describe` works in a build. It names the user's objects as
its alternates, and copies only the tags. The user's repository knows nothing of it, so deleting the
folder leaves nothing stale behind, as `git worktree add` would.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec

from assay.errors import InputError
from assay.revisions.git import Git
from assay.revisions.repository import Repository
from assay.revisions.snapshot import Snapshot

_GITLINK = "160000"  # mode of a submodule in the listing of a git tree
# No hooks run in our checkouts: those of the user's templates are for the user's own work.
_QUIET = ("-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false")


class Submodule(msgspec.Struct, frozen=True):
    """A submodule of a commit: its path, its own commit, and where the user has its repository."""

    path: str
    commit: str
    store: Path | None  # the user's repository of the submodule; None: it was never initialised


def check_out(repository: Repository, snapshot: Snapshot, folder: Path) -> None:
    """Check out a commit into `folder`, which must not exist yet. Raises `InputError`."""
    git = _borrowing_repository(repository.common_folder, folder, repository.git)
    if snapshot.objects:
        shutil.copytree(snapshot.objects, folder / ".git" / "objects", dirs_exist_ok=True)
    _fill_working_tree(git, snapshot.commit.hash)
    for submodule in submodules(repository, snapshot):
        _fill_submodule(submodule, folder)


def submodules(repository: Repository, snapshot: Snapshot) -> list[Submodule]:
    """The submodules of a commit, without those inside them."""
    stores = (repository.path_of("modules"), repository.common_folder / "modules")
    return list(_submodules(snapshot.git, snapshot.commit.hash, stores, repository.root))


def _submodules(
    git: Git, commit: str, stores: tuple[Path, ...], tree: Path | None
) -> Iterator[Submodule]:
    names = _names(git, commit)
    for line in git("ls-tree", "-r", "-z", "--full-tree", commit).split("\0"):
        if line.startswith(_GITLINK):
            facts, path = line.split("\t", 1)
            name = names.get(path, path)
            places = [store / name for store in stores]
            if tree:
                places.append(tree / path / ".git")
            found = (place for place in places if (place / "objects").is_dir())
            yield Submodule(path, facts.split()[2], next(found, None))


def _names(git: Git, commit: str) -> dict[str, str]:
    """By path, the name of each submodule in `.gitmodules`."""
    found = git.output_or_none(
        "config", "--blob", f"{commit}:.gitmodules", "-z", "--get-regexp", r"^submodule\..*\.path$"
    )
    pairs = (entry.split("\n", 1) for entry in (found or "").split("\0") if "\n" in entry)
    return {path: key.removeprefix("submodule.").removesuffix(".path") for key, path in pairs}


def _fill_submodule(submodule: Submodule, above: Path) -> None:
    """Check out a submodule and those inside it; its folder stays empty if the user never
    initialised it."""
    folder = above / submodule.path
    if submodule.store is None:
        return
    git = _borrowing_repository(submodule.store, folder, Git(submodule.store))
    if git.output_or_none("cat-file", "-e", f"{submodule.commit}^{{commit}}") is None:
        raise InputError(
            f"this clone lacks commit {submodule.commit[:10]} of the submodule",
            where=submodule.path,
            hint=f"git -C {submodule.path} fetch",
        )
    _fill_working_tree(git, submodule.commit)
    for inner in _submodules(git, submodule.commit, (submodule.store / "modules",), None):
        _fill_submodule(inner, folder)


def _borrowing_repository(store: Path, folder: Path, theirs: Git) -> Git:
    """A new repository at `folder` that uses the objects and tags of `store`."""
    folder.mkdir(parents=True, exist_ok=True)
    git = Git(folder)
    kind = theirs.output_or_none("rev-parse", "--show-object-format")
    # git before 2.29 knows neither the option nor sha256
    longer = ["--object-format=sha256"] if kind == "sha256" else []
    git("init", "--quiet", "--template=", *longer)
    own = folder / ".git"
    (own / "objects" / "info").mkdir(parents=True, exist_ok=True)
    (own / "objects" / "info" / "alternates").write_bytes(os.fsencode(store / "objects") + b"\n")
    if (store / "shallow").exists():
        shutil.copyfile(store / "shallow", own / "shallow")
    tags = theirs("for-each-ref", "--format=create %(refname) %(objectname)", "refs/tags")
    if tags:
        git("update-ref", "--stdin", text=f"{tags}\n")
    return git


def _fill_working_tree(git: Git, commit: str) -> None:
    """Check out a commit in the repository of `git`."""
    git(*_QUIET, "checkout", "--quiet", "--detach", commit)
