"""What a journal has on the disk, and when; a disk that is full for a while."""

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from assay.errors import InputError
from assay.facts import Facts
from assay.model import Failure, Record, Sample, Side
from assay.planned import Planned
from assay.record import journal as module
from assay.record.journal import Journal, journal_holds_record, note_kept_run, parse_journal
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
        assert not journal_holds_record(path, Record(context={}, facts={}, samples=samples))
        disk.room = 1 << 20
    assert parse_journal(path.read_bytes(), "j").samples == samples
    assert journal_holds_record(path, Record(context={}, facts={}, samples=samples))


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
    assert journal_holds_record(path, record)
    path.write_bytes(path.read_bytes() + b'{"failure"')
    assert not journal_holds_record(path, record)


def test_a_journal_that_is_gone_holds_nothing(tmp_path: Path) -> None:
    assert not journal_holds_record(tmp_path / "none", Record(context={}, facts={}, samples=()))


def test_a_journal_that_is_continued_keeps_its_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    Journal(path, {}, Facts()).append(Failure(benchmark="a", what="it failed"))
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"row": {"na')
    again = Journal.reopened(path)
    assert path.read_bytes() == whole
    again.append(Failure(benchmark="b", what="it failed"))
    assert [one.benchmark for one in read(path).failures] == ["a", "b"]


def refusal(data: bytes) -> str:
    with pytest.raises(InputError) as refused:
        parse_journal(data, "j")
    return str(refused.value)


def test_the_lines_of_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "new" / "j"
    with Journal(path, {"num_cpus": 2}, Facts(tool="x")) as journal:
        journal.plan(Planned(benchmarks=("a",), fewest=3))
        journal.append(sample(4))
        journal.append(Failure(benchmark="b", what="it hung", side=Side.BASE))
        assert journal.content() == path.read_bytes()
    note_kept_run(path, "r1")
    head, planned, row, failure, ended, kept, end = path.read_bytes().split(b"\n")
    assert head == b'{"assay_journal":1,"context":{"num_cpus":2},"facts":{"tool":"x"}}'
    assert planned == b'{"planned":{"benchmarks":["a"],"fewest":3}}'
    assert json.loads(row)["row"]["repetitions"] == 1
    assert json.loads(row)["row"]["repetition_index"] == 0
    assert json.loads(failure)["failure"]["what"] == "it hung"
    assert (ended, kept, end) == (b'{"ended":true}', b'{"kept":"r1"}', b"")
    found = parse_journal(path.read_bytes(), "j")
    assert found.samples == (sample(4),)
    assert found.failures == (Failure(benchmark="b", what="it hung", side=Side.BASE),)
    assert (found.context, found.facts.written["tool"]) == ({"num_cpus": 2}, "x")
    assert (found.origin, parse_journal(b"", "j").samples) == ("j", ())


def test_a_run_is_noted_only_where_the_journal_is(tmp_path: Path) -> None:
    note_kept_run(tmp_path / "none", "r1")
    assert not (tmp_path / "none").exists()
    path = tmp_path / "j"
    path.write_bytes(b"x\n")
    note_kept_run(path, "r1")
    assert path.read_bytes() == b'x\n{"kept":"r1"}\n'


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            b'{"assay_journal":2}\n',
            "j: is a journal of version 2, this Assay reads up to 1; read it with a newer Assay",
        ),
        (b"{}\nx\n", "j: line 2: is not an entry of a journal"),
        (b'{}\n{"ended":true}\n{"row":1}\n', "j: line 3: is not an entry of a journal"),
        (b"x\n", "j: line 1: is not an entry of a journal"),
    ],
)
def test_a_line_that_is_wrong_is_named(data: bytes, said: str) -> None:
    assert refusal(data).partition(": Expected")[0].partition(": JSON")[0].startswith(said)
    assert refusal(data) == said or refusal(data).startswith(f"{said}:")


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path, why in ((tmp_path / "file" / "j", "File exists"), (tmp_path, "Is a directory")):
        with pytest.raises(InputError) as refused:
            Journal(path, {}, Facts())
        assert str(refused.value) == (
            f"{path}: cannot be written: {why}; choose another place with -o"
        )


def test_a_journal_that_cannot_be_continued_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        Journal.reopened(tmp_path / "none")


def test_a_journal_is_synced_a_second_after_the_last_sync(tmp_path: Path) -> None:
    host = Host(tmp_path / "j")
    journal = host.journal()
    syncs = []
    for after_s in (0.0, 0.75, 0.25, 0.75, 0.25):
        host.now += after_s
        journal.append(sample(0))
        syncs.append(len(host.synced_lines) - 1)
    assert syncs == [1, 1, 2, 2, 3]


def test_a_record_is_held_when_no_sample_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with Journal(path, {}, Facts()) as journal:
        journal.append(sample(0))
        journal.append(sample(1))
    for number, is_held in ((1, True), (2, True), (3, False)):
        record = Record(context={}, facts={}, samples=tuple(map(sample, range(number))))
        assert journal_holds_record(path, record) is is_held
    assert journal_holds_record(path, Record(context={}, facts={}, samples=()))
