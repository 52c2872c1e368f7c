"""A branch of a git repository as a remote: which are taken, and what is never replaced."""

import subprocess
import time
from pathlib import Path

import pytest
from remotes import Place, git, git_place
from stores import Step, filled

from assay.cli import invoke
from assay.record.store.store import Store

CLAIM = "x\n\nassay-pushes: 63"  # a message by which the history of any branch was once replaced


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def said(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    capsys.readouterr()
    assert invoke(["runs", *words]) == code, capsys.readouterr().err
    captured = capsys.readouterr()
    return captured.err if code else captured.out


def committed(place: Place, branch: str, files: dict[str, bytes], message: str = "x") -> str:
    """One more commit on a branch, with all that it has and these; its hash. b"" removes one."""
    head = b"commit refs/heads/%b\ncommitter n <e> 1 +0000\n" % branch.encode()
    lines = [head, b"data %d\n%b\n" % (len(message), message.encode())]
    if git(place.folder, "branch", "--list", branch):
        lines.append(b"from refs/heads/%b^0\n" % branch.encode())
    for name, data in files.items():
        kept = b"M 100644 inline %b\ndata %d\n%b\n" % (name.encode(), len(data), data)
        lines.append(kept if data else b"D %b\n" % name.encode())
    git(place.folder, "fast-import", "--quiet", text=b"".join(lines))
    return git(place.folder, "rev-parse", branch)


MARK = {"store.json": b'{"assay_store": 1}\n'}


@pytest.mark.parametrize(
    ("files", "what"),
    [
        ({"main.c": b"int main;"}, "is a branch without a store.json"),
        ({"runs/main.c": b"int main;"}, "is a branch without a store.json"),
        ({**MARK, "main.c": b"int main;"}, "holds 'main.c', which Assay does not write"),
        ({"store.json": b"{}"}, "mark of a store"),
        ({"store.json": b'{"assay_store": 3}'}, "is a store of version 3"),
        ({"store.json": b" " * 1000}, "mark of a store"),
    ],
)
def test_a_branch_that_assay_did_not_make_is_refused(
    files: dict[str, bytes], what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled(Path("a"), {"b1": Step()}, runs=2)
    place = git_place(tmp_path)
    committed(place, "main", files)
    tip = committed(place, "main", {}, CLAIM)
    error = said(capsys, "push", f"{place.written}#main", "--store", "a", code=2)
    assert what in error
    assert len(error.splitlines()) == 1
    assert git(place.folder, "rev-parse", "main") == tip


def test_the_branch_of_a_strangers_assay_toml_is_not_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = git_place(tmp_path)
    files = {"main.c": b"int main;", "assay.toml": b'[store]\nremote = "git:origin#main"\n'}
    tip = committed(place, "main", files, CLAIM)
    command = ["git", "clone", "-qb", "main", place.folder, "clone"]
    subprocess.run(command, check=True, capture_output=True)
    monkeypatch.chdir(tmp_path / "clone")
    filled(Path(".assay"), {"b1": Step()}, runs=2)
    assert "was not made by `assay runs push`" in said(capsys, "push", code=2)
    assert git(place.folder, "rev-parse", "main") == tip


def test_commits_that_held_something_else_are_never_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their newest tree looks like ours, and their messages say what they like."""
    monkeypatch.setattr("assay.record.store.remotes.git_remote.COMPACTED_EVERY", 3)
    place = git_place(tmp_path)
    committed(place, "old", {"main.c": b"int main;"})
    tip = committed(place, "old", {"main.c": b"", **MARK}, CLAIM)
    record = filled(Path("made"), {"b1": Step()}, runs=1).load("LAST")
    kept = Store.opened_or_made(Path("a"))
    for _ in range(5):
        kept.add(record, kind="run", now_s=time.time())
        said(capsys, "push", f"{place.written}#old", "--store", "a")
    assert git(place.folder, "rev-list", "--count", "old") == "7"
    assert tip in git(place.folder, "rev-list", "old").splitlines()


def test_a_message_that_claims_many_pushes_replaces_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled(Path("a"), {"b1": Step()}, runs=2)
    place = git_place(tmp_path)
    tip = committed(place, "assay-runs", MARK, CLAIM)
    said(capsys, "push", place.written, "--store", "a")
    assert git(place.folder, "rev-parse", "assay-runs^") == tip


def test_a_branch_of_ours_has_the_mark_of_a_store(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled(Path("a"), {"b1": Step()}, runs=2)
    place = git_place(tmp_path)
    said(capsys, "push", place.written, "--store", "a")
    assert git(place.folder, "show", "assay-runs:store.json") == '{"assay_store": 1}'
    said(capsys, "pull", place.written, "--store", "b")
    assert "pushed 0 runs" in said(capsys, "push", place.written, "--store", "b")


def test_a_lock_that_a_killed_git_left_on_the_remote_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was said that others pushed, and to push again when fewer do, for ever."""
    monkeypatch.setattr("assay.record.store.remotes.git_remote._TRIES", 3)
    filled(Path("a"), {"b1": Step()}, runs=2)
    place = git_place(tmp_path)
    lock = place.folder / "refs" / "heads" / "assay-runs.lock"
    lock.touch()
    error = said(capsys, "push", place.written, "--store", "a", code=2)
    assert "git push failed" in error
    assert "assay-runs.lock': File exists" in error
    assert "a lock that stays is of a git that was killed there: remove it" in error
    assert len(error.splitlines()) == 1
    lock.unlink()
    assert "pushed 2 runs" in said(capsys, "push", place.written, "--store", "a")
