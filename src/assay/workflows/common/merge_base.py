"""Finds where a branch left another, which is what a gate compares it with.

merge_base_target(Path.cwd(), base="main", work=".")     # "git:1a2b3c4..."
"""

from pathlib import Path

from assay.errors import InputError
from assay.project.project import needed_project
from assay.revisions.builder import WORKING_TREE
from assay.revisions.repository import Repository

_BRANCHES = ("origin/HEAD", "main", "master", "origin/main", "origin/master")


def merge_base_target(folder: Path, base: str, work: str) -> str:
    """The commit at which `work` (a revision, or "." for the working tree) left `base`.

    It is returned as a target. If `base` is empty, it is the first of origin's default branch,
    main and master that exists. Raises `InputError`.
    """
    repository = Repository.open(needed_project(folder).folder)
    if not base:
        base = next((one for one in _BRANCHES if repository.has(one)), "")
    if not base:
        hint = "name it: assay gate BRANCH"
        raise InputError("has no branch main or master to compare with", where=".", hint=hint)
    work = "HEAD" if work == WORKING_TREE else work
    return f"git:{repository.merge_base(base, work).short_hash}"
