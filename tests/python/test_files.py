"""Files appear whole, are synced, and replace nothing that is no file."""

import errno
import fcntl
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.files import write_whole


class Disk:
    """Remembers what is done to files, in order; may have no room."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, full: bool = False) -> None:
        self.done: list[str] = []
        self._sync, self._replace, self._full = os.fsync, Path.replace, full
        monkeypatch.setattr(os, "fsync", self.fsync)
        monkeypatch.setattr(Path, "replace", self.replacing())

    def fsync(self, descriptor: int) -> None:
        if self._full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        self.done.append("sync folder" if is_folder else "sync file")
        self._sync(descriptor)

    def replacing(self) -> Callable[[Path, Path], Path]:
        def replace(path: Path, target: Path) -> Path:
            self.done.append("rename")
            return self._replace(path, target)

        return replace


def test_the_bytes_are_on_the_disk_before_the_name_and_the_name_before_it_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(monkeypatch)
    write_whole(b"new", tmp_path / "a")
    assert disk.done == ["sync file", "rename", "sync folder"]
    assert (tmp_path / "a").read_bytes() == b"new"


def test_a_full_disk_leaves_the_old_content_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_text("old")
    Disk(monkeypatch, full=True)
    with pytest.raises(InputError, match="a: cannot be written: No space left on device"):
        write_whole(b"new", tmp_path / "a")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_text() == "old"


def test_two_writers_at_once_have_a_file_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    renamed: list[Path] = []
    replace = Path.replace

    def second_comes_first(path: Path, target: Path) -> Path:
        renamed.append(path)
        if len(renamed) == 1:
            write_whole(b"second", tmp_path / "a")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", second_comes_first)
    write_whole(b"first", tmp_path / "a")
    assert renamed[0] != renamed[1]
    assert (tmp_path / "a").read_bytes() == b"first"


def test_a_name_as_long_as_names_may_be(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    write_whole(b"new", path)
    assert path.read_bytes() == b"new"


def test_a_file_has_the_rights_any_new_file_has(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("")
    write_whole(b"", tmp_path / "a")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("there/a")
    write_whole(b"new", tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there" / "a").read_bytes() == b"new"


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(b"new", pipe)
    assert os.read(reader, 10) == b"new"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no/a: cannot be written: No such file"):
        write_whole(b"new", tmp_path / "no" / "a")


def test_what_a_killed_process_left_is_removed_and_what_a_live_one_writes_is_not(
    tmp_path: Path,
) -> None:
    left, live, own = (tmp_path / f".assay-{name}" for name in ("0" * 16, "1" * 16, "my-notes"))
    for path in (left, live, own):
        path.touch()
    with live.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        write_whole(b"new", tmp_path / "a")
        assert {one.name for one in tmp_path.iterdir()} == {"a", live.name, own.name}
    write_whole(b"newer", tmp_path / "a")
    assert {one.name for one in tmp_path.iterdir()} == {"a", own.name}
