"""Uncommitted work becomes a commit, and the user's repository stays as it was."""

from pathlib import Path

import pytest
from repositories import TestRepository, new_repository

from assay.errors import InputError
from assay.revisions.repository import Repository
from assay.revisions.snapshot import snapshot


@pytest.fixture
def work(tmp_path: Path) -> TestRepository:
    made = new_repository(tmp_path / 'a "quoted": folder')
    made.commit("first", a_txt="1", gone_txt="x", _gitignore="*.o\n")
    made.commit("second", b_txt="2")
    return made


def files(work: TestRepository, **more: tuple[str, ...]) -> list[str]:
    with snapshot(Repository.open(work.root), **more) as taken:  # type: ignore[arg-type]
        return taken.git("ls-tree", "-r", "--name-only", taken.commit.hash).split("\n")


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_is_changed_new_and_gone(work: TestRepository) -> None:
    work.write("a.txt", "changed")
    work.write("new.txt", "new")
    work.write("ignored.o", "x")
    work.write("staged.txt", "staged")
    work.git("add", "staged.txt")
    (work.root / "gone.txt").unlink()
    before = everything(work.root)
    with snapshot(Repository.open(work.root)) as taken:
        assert taken.git("show", f"{taken.commit.hash}:a.txt") == "changed"
        names = taken.git("ls-tree", "-r", "--name-only", taken.commit.hash)
        assert names.split("\n") == [".gitignore", "a.txt", "b.txt", "new.txt", "staged.txt"]
        assert taken.commit.parents == (work.git("rev-parse", "HEAD"),)
    assert everything(work.root) == before, "index and objects are as they were"


def test_the_same_files_are_the_same_commit(work: TestRepository) -> None:
    repository = Repository.open(work.root)
    with snapshot(repository) as clean:
        assert clean.commit == repository.resolve("HEAD")
        assert clean.objects is None
    work.write("a.txt", "changed")
    with snapshot(repository) as first:
        pass
    (work.root / "a.txt").touch()
    with snapshot(repository) as second:
        assert second.commit == first.commit
    work.write("a.txt", "changed again")
    with snapshot(repository) as third:
        assert third.commit != first.commit


def test_the_store_and_builds_of_cmake_are_no_work(work: TestRepository) -> None:
    work.write(".assay/runs/1.parquet", "x")
    work.write("out/build/CMakeCache.txt", "x")
    work.write("out/build/bench", "x")
    work.write("out/kept.txt", "x")
    found = files(work, without=(".assay",))
    assert found == [".gitignore", "a.txt", "b.txt", "gone.txt", "out/kept.txt"]


def test_a_folder_left_out_that_is_ignored_as_well(work: TestRepository) -> None:
    work.write(".gitignore", ".assay\n")
    (work.root / ".assay").mkdir()
    (work.root / ".assay" / "run").write_text("x")
    assert ".assay/run" not in files(work, without=(".assay",))


def test_from_a_repository_without_a_commit(tmp_path: Path) -> None:
    work = new_repository(tmp_path / "new")
    work.write("a.txt", "1")
    assert files(work) == ["a.txt"]


def test_a_submodule_with_uncommitted_work_is_refused(work: TestRepository, tmp_path: Path) -> None:
    library = new_repository(tmp_path / "library")
    library.commit("library", l_txt="1")
    work.git("submodule", "add", "-q", str(library.root), "third party")
    work.commit("with a submodule")
    assert "third party" in files(work)
    for name in ("l.txt", "new.txt"):
        work.write(f"third party/{name}", "changed")
        with pytest.raises(
            InputError, match=r"third party: this submodule holds work .* commit it"
        ):
            files(work)
        work.git("-C", "third party", "stash", "-qu")
