"""Revisions of the user's repository: found, or refused in words that help."""

from pathlib import Path

import pytest
from repositories import TestRepository, clone, new_repository

from assay.errors import InputError
from assay.revisions.repository import Repository


@pytest.fixture
def history(tmp_path: Path) -> TestRepository:
    """main: one, two, merge of side; side: one, three."""
    made = new_repository(tmp_path / "a repository")
    made.commit("one", a_txt="1")
    made.git("branch", "side")
    made.commit("two: a\x1f subject", b_txt="2")
    made.git("tag", "-am", "released", "v1.0")
    made.git("checkout", "-q", "side")
    made.commit("three", c_txt="3")
    made.git("checkout", "-q", "main")
    made.git("merge", "-q", "--no-ff", "-m", "merged", "side")
    return made


def test_a_revision_however_it_is_written(history: TestRepository) -> None:
    repository = Repository.open(history.root)
    two = repository.resolve("v1.0")
    assert two.hash == history.git("rev-parse", "HEAD^1")
    assert two.subject == "two: a\x1f subject"
    assert two.tree == history.git("rev-parse", "HEAD^1^{tree}")
    assert two.time_s == 1_700_000_060
    for written in ("v1.0", "main~1", two.hash, two.short_hash, "HEAD^1", ":/two"):
        assert repository.resolve(written) == two
    assert len(repository.resolve("HEAD").parents) == 2


def test_from_a_folder_below_and_from_a_linked_worktree(
    history: TestRepository, tmp_path: Path
) -> None:
    history.write("deep/er/x", "")
    assert Repository.open(history.root / "deep" / "er").root == history.root
    history.git("worktree", "add", "-q", str(tmp_path / "linked"), "side")
    linked = Repository.open(tmp_path / "linked")
    assert linked.resolve("HEAD").subject == "three"
    assert linked.common_folder.resolve() == history.root / ".git"


def test_a_hook_that_names_another_repository(
    history: TestRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = new_repository(tmp_path / "other")
    other.commit("elsewhere", a_txt="")
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.root / ".git" / "index"))
    assert Repository.open(history.root).resolve("HEAD").subject == "merged"


def test_merge_base_and_what_lies_between(history: TestRepository) -> None:
    repository = Repository.open(history.root)
    assert repository.merge_base("v1.0", "side").subject == "one"
    between = repository.commits_between("side", "main")
    assert [one.subject for one in between] == ["two: a\x1f subject", "merged"]
    assert between[1].parents == (between[0].hash, repository.resolve("side").hash)
    assert repository.commits_between("main", "side") == ()


def test_a_file_of_a_revision(history: TestRepository) -> None:
    repository = Repository.open(history.root)
    assert repository.text_of("v1.0", "b.txt", 100) == "2"
    assert repository.text_of("v1.0", "c.txt", 100) is None


@pytest.mark.parametrize(
    ("revision", "words"),
    [
        ("sied", ("git:sied: no such revision", "did you mean side?")),
        ("v1.00", ("did you mean v1.0",)),
        ("zzzzzzzz", ("git branch --all",)),
        ("HEAD~99", ("no such revision",)),
        ("--all", ("git:--all: no such revision",)),
        ("", ("no such revision",)),
        ("HEAD:a.txt", ("no such revision",)),
    ],
)
def test_a_revision_there_is_not(
    history: TestRepository, revision: str, words: tuple[str, ...]
) -> None:
    with pytest.raises(InputError) as failed:
        Repository.open(history.root).resolve(revision)
    for word in words:
        assert word in failed.value.message


@pytest.mark.parametrize(
    "written",
    [
        "^HEAD",
        "^^HEAD",
        "^HEAD^{}",
        "^v1.0",
        "HEAD^@",
        "HEAD^!",
        "HEAD^-",
        "v1.0..HEAD",
        "HEAD...v1.0",
    ],
)
def test_an_expression_that_names_none_or_several(history: TestRepository, written: str) -> None:
    with pytest.raises(InputError, match="names no single commit"):
        Repository.open(history.root).resolve(written)
    assert not Repository.open(history.root).has(written)


@pytest.mark.parametrize("written", ["HEAD:a_txt", "HEAD^{tree}", "--all", "-1", "", "*", "@{0}.."])
def test_whatever_is_no_commit_is_an_error_in_words(history: TestRepository, written: str) -> None:
    with pytest.raises(InputError):
        Repository.open(history.root).resolve(written)


def test_a_shallow_clone_says_how_to_get_the_rest(history: TestRepository, tmp_path: Path) -> None:
    repository = Repository.open(clone(history, tmp_path / "shallow", "--depth=1").root)
    assert repository.is_shallow
    assert repository.resolve("HEAD").subject == "merged"
    with pytest.raises(InputError, match="git fetch --unshallow"):
        repository.resolve("HEAD~1")
    unshallow = clone(history, tmp_path / "two", "--depth=1", "--no-single-branch")
    with pytest.raises(InputError, match="no common ancestor here; git fetch --unshallow"):
        Repository.open(unshallow.root).merge_base("origin/main", "origin/side")


def test_histories_without_a_common_ancestor(history: TestRepository) -> None:
    history.git("checkout", "-q", "--orphan", "apart")
    history.commit("apart")
    with pytest.raises(InputError, match="no common ancestor here; name two revisions"):
        Repository.open(history.root).merge_base("apart", "main")


def test_folders_that_are_no_clone(history: TestRepository, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="is not in a git repository; git: targets"):
        Repository.open(tmp_path / "empty")
    bare = clone(history, tmp_path / "bare.git", "--bare")
    with pytest.raises(InputError, match="is a bare repository"):
        Repository.open(bare.root)
    with pytest.raises(InputError, match="no such revision"):
        Repository.open(new_repository(tmp_path / "new").root).resolve("HEAD")


def test_without_git(
    history: TestRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="there is no git here; install git"):
        Repository.open(history.root)
