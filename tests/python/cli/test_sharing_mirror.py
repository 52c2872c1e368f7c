"""Damaged mirrors in the cache: each later push and pull works, and no remote is blamed."""

import errno
import fcntl
import shutil
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import TypeVar

import pytest
from patience import PATIENCE_S, wait_until
from remotes import git, git_place
from stores import Step, filled

from assay.cli import invoke
from assay.record.store.folder import Folder
from assay.record.store.remotes.git_process import GitProcess
from assay.record.store.remotes.mirror_lock import MirrorLock

T = TypeVar("T")


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def _objects_cut(mirror: Path) -> None:
    for path in (mirror / "objects").rglob("*"):
        if path.is_file():
            path.chmod(0o644)
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _largest_object_flipped(mirror: Path) -> None:
    path = max((p for p in (mirror / "objects").rglob("*") if p.is_file()), key=_size)
    path.chmod(0o644)
    data = bytearray(path.read_bytes())
    for place in range(len(data) // 2, len(data) // 2 + 40):
        data[place] ^= 0xFF
    path.write_bytes(data)


def _size(path: Path) -> int:
    return path.stat().st_size


def _replaced_by_a_file(mirror: Path) -> None:
    shutil.rmtree(mirror)
    mirror.write_text("x")


DAMAGE: dict[str, Callable[[Path], object]] = {
    "HEAD is empty": lambda mirror: (mirror / "HEAD").write_text(""),
    "HEAD is gone": lambda mirror: (mirror / "HEAD").unlink(),
    "no objects": lambda mirror: shutil.rmtree(mirror / "objects"),
    "its branch is garbage": lambda mirror: (mirror / "refs/assay/seen").write_text("z\n"),
    "a lock of a killed git": lambda mirror: (mirror / "refs/assay/seen.lock").write_text(""),
    "a lock of its settings": lambda mirror: (mirror / "config.lock").write_text(""),
    "settings are garbage": lambda mirror: (mirror / "config").write_text("[x\n"),
    "settings are empty": lambda mirror: (mirror / "config").write_text(""),
    "objects cut short": _objects_cut,
    "an object with other bytes": _largest_object_flipped,
    "a file": _replaced_by_a_file,
    "empty": lambda mirror: [shutil.rmtree(mirror), mirror.mkdir()],
}


def test_a_damaged_mirror_makes_git_start_no_gits_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A git that lacks a commit starts another one to fetch it, which lacked it, too: 8,000 ran."""
    place = git_place(tmp_path, filters=True)
    filled(Path("a"), {"b1": Step()}, runs=3)
    assert invoke(["runs", "push", place.written, "--store", "a"]) == 0
    assert invoke(["runs", "pull", place.written, "--store", "warm"]) == 0
    (mirror,) = (tmp_path / "cache" / "assay" / "remotes").glob("*.git")
    _objects_cut(mirror)
    trace = tmp_path / "trace"
    monkeypatch.setenv("GIT_TRACE", str(trace))
    assert invoke(["runs", "pull", place.written, "--store", "b"]) == 0, capsys.readouterr().err
    started = trace.read_text().count("trace: built-in: git fetch")
    assert 1 <= started <= 4, started


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_mirror_is_made_anew(
    damage: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = git_place(tmp_path, filters=True)
    filled(Path("a"), {"b1": Step()}, runs=3)
    filled(Path("c"), {"b2": Step()}, runs=5)
    assert invoke(["runs", "push", place.written, "--store", "a"]) == 0
    assert invoke(["runs", "pull", place.written, "--store", "warm"]) == 0
    (mirror,) = (tmp_path / "cache" / "assay" / "remotes").glob("*.git")
    DAMAGE[damage](mirror)
    assert invoke(["runs", "pull", place.written, "--store", "b"]) == 0, capsys.readouterr().err
    assert Folder.opened(Path("b")).runs() == Folder.opened(Path("a")).runs()
    if mirror.is_dir():
        DAMAGE[damage](mirror)
    assert invoke(["runs", "push", place.written, "--store", "c"]) == 0, capsys.readouterr().err
    assert "is it the right repository" not in capsys.readouterr().err
    git(place.folder, "fsck", "--strict")
    assert [path.suffix for path in sorted(mirror.parent.iterdir())] == [".git", ".lock"]


def test_a_remote_that_fails_costs_no_mirror(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = git_place(tmp_path)
    filled(Path("a"), {"b1": Step()}, runs=1)
    assert invoke(["runs", "push", place.written, "--store", "a"]) == 0
    (mirror,) = (tmp_path / "cache" / "assay" / "remotes").glob("*.git")
    before = mirror.stat().st_ino
    place.folder.rename(tmp_path / "elsewhere")
    assert invoke(["runs", "pull", place.written, "--store", "b"]) == 2
    assert "is it the right repository" in capsys.readouterr().err
    assert mirror.stat().st_ino == before


def test_a_server_that_gives_no_single_files_gives_all_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One with filters that speaks version 0 of the protocol, as each behind a plain sshd does."""
    place = git_place(tmp_path, filters=True)
    first, second = (filled(Path(name), {name: Step()}, runs=3) for name in ("a", "b"))
    assert invoke(["runs", "push", place.written, "--store", "a"]) == 0
    with monkeypatch.context() as another:
        another.setenv("XDG_CACHE_HOME", str(tmp_path / "another"))
        another.setenv("GIT_CONFIG_COUNT", "1")
        another.setenv("GIT_CONFIG_KEY_0", "protocol.version")
        another.setenv("GIT_CONFIG_VALUE_0", "0")
        assert invoke(["runs", "pull", place.written, "--store", "c"]) == 0
        assert "gives out no single files, so all were fetched to" in capsys.readouterr().err
        assert Folder.opened(Path("c")).runs() == first.folder.runs()
        another.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        assert invoke(["runs", "push", place.written, "--store", "b"]) == 0
        another.setenv("XDG_CACHE_HOME", str(tmp_path / "another"))
        capsys.readouterr()
        assert invoke(["runs", "pull", place.written, "--store", "c"]) == 0
        assert capsys.readouterr().err == ""  # it is remembered, and said once
    both = {*first.folder.runs(), *second.folder.runs()}
    assert Folder.opened(Path("c")).runs() == sorted(both)


@pytest.mark.parametrize("step", ["begun", "filled", "removed"])
def test_a_cache_that_is_deleted_while_a_mirror_is_made_is_made_again(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As somebody may at any time; the second time nobody does."""
    filled(Path("a"), {"b1": Step()}, runs=2)
    place = git_place(tmp_path)
    assert invoke(["runs", "push", place.written, "--store", "a"]) == 0
    cache, deleted, rename = tmp_path / "cache", [], Path.rename

    def rename_where_it_is_gone(self: Path, to: Path) -> Path:
        if self.suffix.startswith(".new") and not deleted:
            deleted.append(self)
            if step == "filled":
                shutil.rmtree(cache)
            else:  # two of them delete it at once
                raise OSError(errno.ENOTEMPTY, "Directory not empty")
        return rename(self, to)

    mkdir = Path.mkdir

    def mkdir_that_is_deleted(self: Path, *words: int, **how: bool) -> None:
        mkdir(self, *words, **how)
        if step == "begun" and self.suffix.startswith(".new") and not deleted:
            deleted.append(self)
            shutil.rmtree(cache)

    shutil.rmtree(cache)
    monkeypatch.setattr(Path, "rename", rename_where_it_is_gone)
    monkeypatch.setattr(Path, "mkdir", mkdir_that_is_deleted)
    assert invoke(["runs", "pull", place.written, "--store", "b"]) == 0
    assert deleted
    assert len(list((cache / "assay" / "remotes").glob("*.git"))) == 1


def _whole(cache: Path) -> None:
    shutil.rmtree(cache)


def _begun(cache: Path) -> None:
    """As far as somebody is who deletes it file by file."""
    for place in list(cache.rglob("HEAD")) + list(cache.rglob("config")):
        place.unlink()


@pytest.mark.parametrize("delete", [_whole, _begun])
@pytest.mark.parametrize("verb", ["push", "pull"])
def test_a_cache_that_is_deleted_before_any_command_of_git_costs_nothing(
    verb: str, delete: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The soak of three machines met it in a pull: git could not start in the folder that was gone,
    which was exit code 3, or complained of the directory that it was in."""
    cache, before_git = tmp_path / "cache", _DeletedBefore()
    monkeypatch.setattr(GitProcess, "try_command", before_git.wrapped(GitProcess.try_command))
    monkeypatch.setattr(GitProcess, "start_command", before_git.wrapped(GitProcess.start_command))
    first = filled(Path("a"), {"b1": Step()}, runs=2).folder.runs()
    second = filled(Path("b"), {"b2": Step()}, runs=3).folder.runs()
    number = 0
    while before_git.was_reached(number):
        number += 1
        place, ours, all_of_it = git_place(tmp_path / f"{number}"), f"{number}/b", f"{number}/all"
        shutil.copytree("b", ours)
        assert invoke(["runs", "push", place.written, "--store", "a"]) == 0
        before_git.delete(number, lambda: delete(cache))
        assert invoke(["runs", verb, place.written, "--store", ours]) == 0
        before_git.delete_no_more()
        assert invoke(["runs", "pull", place.written, "--store", all_of_it]) == 0
        both = ours if verb == "pull" else all_of_it
        assert Folder.opened(Path(both)).runs() == sorted({*first, *second})
    assert number > 6


def test_a_lock_that_was_deleted_with_the_cache_is_waited_for_again(tmp_path: Path) -> None:
    """Else two processes made one mirror at once, and each removed what the other had made."""
    place, told = tmp_path / "cache" / "x.git", list[str]()
    first = MirrorLock(place, "git:x", told.append)
    shutil.rmtree(tmp_path / "cache")
    second = MirrorLock(place, "git:x", told.append)
    assert told == []
    again = Thread(target=first.hold)
    again.start()
    wait_until(lambda: told, "the first, which waits")
    second.close()
    again.join(PATIENCE_S)
    with place.with_suffix(".lock").open("ab") as file, pytest.raises(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    first.close()


def test_a_cache_that_cannot_be_made_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In /proc a folder that is to be made is "not found", as in a cache that is deleted."""
    filled(Path("a"), {"b1": Step()}, runs=2)
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/nothing")
    assert invoke(["runs", "push", git_place(tmp_path).written, "--store", "a"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "cannot be used: No such file or directory; remove it, or set XDG_CACHE_HOME" in line


class _DeletedBefore:
    """Calls of git, before one of which something is deleted."""

    def __init__(self) -> None:
        self._calls = self._at = self._reached = 0
        self._do: Callable[[], None] = lambda: None

    def wrapped(self, method: Callable[..., T]) -> Callable[..., T]:
        def wrapper(git: GitProcess, *words: str, **how: bytes) -> T:
            self._calls += 1
            if self._calls == self._at:
                self._do()
            return method(git, *words, **how)

        return wrapper

    def delete(self, at: int, do: Callable[[], None]) -> None:
        """Do it before call number `at` from here on."""
        self._calls, self._at, self._do = 0, at, do

    def delete_no_more(self) -> None:
        """Whatever is called from here on is not counted."""
        self._reached, self._at = self._calls, 0

    def was_reached(self, at: int) -> bool:
        """Whether there were so many calls."""
        return self._reached >= at
