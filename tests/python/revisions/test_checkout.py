"""A commit is checked out beside the user's tree, which does not come to know of it."""

import shutil
from pathlib import Path

import pytest
from repositories import TestRepository, clone, new_repository

from assay.errors import InputError
from assay.revisions.checkout import check_out
from assay.revisions.repository import Repository
from assay.revisions.snapshot import Snapshot, snapshot


@pytest.fixture
def made(tmp_path: Path) -> TestRepository:
    made = new_repository(tmp_path / "a repository")
    made.commit("first", a_txt="1")
    made.git("tag", "-am", "released", "v1.0")
    made.commit("second", a_txt="2")
    return made


def out(work: TestRepository, revision: str, folder: Path) -> TestRepository:
    repository = Repository.open(work.root)
    check_out(repository, Snapshot(repository.resolve(revision), repository.git), folder)
    return TestRepository(folder)


def test_a_checkout_is_a_repository_with_tags(made: TestRepository, tmp_path: Path) -> None:
    got = out(made, "HEAD", tmp_path / "out")
    assert (got.root / "a.txt").read_text() == "2"
    assert got.git("describe") == made.git("describe")
    assert got.git("status", "--porcelain") == ""
    assert got.git("log", "--format=%s") == "second\nfirst"


def test_a_repository_with_longer_hashes(tmp_path: Path) -> None:
    (tmp_path / "long").mkdir()
    work = TestRepository(tmp_path / "long")
    work.git("init", "-q", "--object-format=sha256")
    work.commit("first", a_txt="1")
    got = out(work, "HEAD", tmp_path / "out")
    assert (got.root / "a.txt").read_text() == "1"


def test_deleting_one_leaves_nothing_stale(made: TestRepository, tmp_path: Path) -> None:
    before = sorted((made.root / ".git").rglob("*"))
    out(made, "v1.0", tmp_path / "out")
    shutil.rmtree(tmp_path / "out")
    assert sorted((made.root / ".git").rglob("*")) == before
    assert made.git("worktree", "list").count("\n") == 0


def test_uncommitted_work_from_a_shallow_clone_and_a_linked_worktree(
    made: TestRepository, tmp_path: Path
) -> None:
    shallow = clone(made, tmp_path / "shallow", "--depth=1")
    shallow.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "linked")
    for number, root in enumerate((shallow.root, tmp_path / "linked")):
        (root / "a.txt").write_text("3")
        folder = tmp_path / f"out {number}"
        repository = Repository.open(root)
        with snapshot(repository) as taken:
            check_out(repository, taken, folder)
        assert (folder / "a.txt").read_text() == "3"
        assert TestRepository(folder).git("log", "--format=%s") == "Uncommitted work\nsecond"


@pytest.fixture
def nested(tmp_path: Path) -> TestRepository:
    """main, whose submodule `libs/outer` has a submodule `inner`; in a clone without network."""
    inner = new_repository(tmp_path / "inner origin")
    inner.commit("inner", inner_txt="inner")
    outer = new_repository(tmp_path / "outer origin")
    outer.git("submodule", "add", "-q", str(inner.root), "inner")
    outer.commit("outer", outer_txt="old")
    main = new_repository(tmp_path / "main origin")
    main.git("submodule", "add", "-q", "--name", "other name", str(outer.root), "libs/outer")
    main.commit("main")
    outer.commit("newer", outer_txt="new")
    main.git("-C", "libs/outer", "pull", "-q", "origin", "main")
    main.commit("newer submodule")
    got = clone(main, tmp_path / "clone", "--recurse-submodules")
    for origin in (inner, outer, main):
        shutil.rmtree(origin.root)
    return got


def test_submodules_come_from_what_the_user_has(nested: TestRepository, tmp_path: Path) -> None:
    new, old = tmp_path / "new", tmp_path / "old"
    out(nested, "HEAD", new)
    out(nested, "HEAD~1", old)
    assert (new / "libs/outer/outer.txt").read_text() == "new"
    assert (old / "libs/outer/outer.txt").read_text() == "old"
    assert (old / "libs/outer/inner/inner.txt").read_text() == "inner"


def test_a_submodule_the_user_has_not_is_empty_here_too(
    nested: TestRepository, tmp_path: Path
) -> None:
    plain = clone(nested, tmp_path / "plain")
    out(plain, "HEAD", tmp_path / "out")
    assert list((tmp_path / "out" / "libs" / "outer").iterdir()) == []


def test_a_submodule_whose_commit_is_missing(nested: TestRepository, tmp_path: Path) -> None:
    missing = "1" * 40
    nested.git("update-index", "--cacheinfo", f"160000,{missing},libs/outer")
    nested.git("commit", "-qm", "a commit nobody has")
    with pytest.raises(InputError, match="libs/outer: this clone lacks commit 1111111111"):
        out(nested, "HEAD", tmp_path / "out")
