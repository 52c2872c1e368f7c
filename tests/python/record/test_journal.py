"""What a journal has on the disk, and when; a disk that is full for a while."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.facts import Facts
from assay.model import Failure, Record, Sample
from assay.record import journal as module
from assay.record.journal import Journal, holds, parse_journal
from assay.record.reader import read


def sample(launch: int) -> Sample:
    return Sample(benchmark="a", values={"real_time": (1.5,), "cpu_time": (1.0,)}, launch=launch)


class Host:
    """A clock that is set, and what was on the disk at each sync."""

    def __init__(self, path: Path) -> None:
        self.path, self.now, self.synced_lines = path, 100.0, [0]

    def now_s(self) -> float:
        return self.now

    def sync(self, _descriptor: int) -> None:
        self.synced_lines.append(self.path.read_bytes().count(b"\n"))

    def journal(self) -> Journal:
        return Journal(self.path, {}, Facts(), now_s=self.now_s, sync=self.sync)


class FullDisk:
    """A file that takes only so many bytes."""

    def __init__(self, file: Any, room: int) -> None:
        self._file, self.room = file, room

    def write(self, data: bytes) -> int:
        if not self.room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        taken = data[: self.room]
        self.room -= len(taken)
        return int(self._file.write(taken))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def test_a_power_failure_loses_the_lines_of_one_second_at_most(tmp_path: Path) -> None:
    host = Host(tmp_path / "j")
    with host.journal() as journal:
        for launch in range(50):
            host.now += 0.1
            journal.append(sample(launch))
            on_disk = host.path.read_bytes().count(b"\n")
            assert on_disk == launch + 2, "a killed process would lose a line"
            assert on_disk - host.synced_lines[-1] <= 10
    assert 5 <= len(host.synced_lines) - 1 <= 7  # about one a second, not one a line
    assert host.synced_lines[-1] == 52, "closing it says so, and syncs the rest"


def test_the_real_sync_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    real = os.fsync

    def watched(descriptor: int) -> None:
        synced.append(str(Path(f"/proc/self/fd/{descriptor}").readlink()))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    with Journal(tmp_path / "j", {}, Facts(), sync=watched) as journal:
        journal.append(sample(0))
    assert str(tmp_path) in synced, "its name would not survive"
    assert str(tmp_path / "j") in synced


def test_lines_that_find_no_room_wait_for_it(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with Journal(path, {}, Facts()) as journal:
        journal.append(sample(0))
        disk = FullDisk(journal._file, room=20)
        journal._file = disk  # type: ignore[assignment]
        journal.append(sample(1))
        journal.append(sample(2))
        samples = parse_journal(journal.content(), "j").samples
        assert samples == tuple(map(sample, range(3)))
        assert not holds(path, Record(context={}, facts={}, samples=samples))
        disk.room = 1 << 20
    assert parse_journal(path.read_bytes(), "j").samples == samples
    assert holds(path, Record(context={}, facts={}, samples=samples))


def test_a_full_disk_is_told_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_folder: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(module, "sync_folder", refuse)
    with pytest.raises(InputError, match="j: cannot be written: No space left on device"):
        Journal(tmp_path / "j", {}, Facts())
    assert not list(tmp_path.iterdir())


def test_what_went_wrong_after_measuring_is_not_missed_in_it(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with Journal(path, {}, Facts()) as journal:
        journal.append(sample(0))
    late = Failure(benchmark="", what="could not be undone", target="undo")
    record = Record(context={}, facts={}, samples=(sample(0),), failures=(late,))
    assert holds(path, record)
    path.write_bytes(path.read_bytes() + b'{"failure"')
    assert not holds(path, record)


def test_a_journal_that_is_gone_holds_nothing(tmp_path: Path) -> None:
    assert not holds(tmp_path / "none", Record(context={}, facts={}, samples=()))


def test_a_journal_that_is_continued_keeps_its_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    Journal(path, {}, Facts()).append(Failure(benchmark="a", what="it failed"))
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"row": {"na')
    again = Journal.reopened(path)
    assert path.read_bytes() == whole
    again.append(Failure(benchmark="b", what="it failed"))
    assert [one.benchmark for one in read(path).failures] == ["a", "b"]
