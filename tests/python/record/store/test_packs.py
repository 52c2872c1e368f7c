"""The packs of a store: which run lies where, and who may change them."""

import errno
import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.record.store import packs as module
from assay.record.store.pack_file import packed_bytes, packed_member
from assay.record.store.packs import LOCK, Packs, checked_range, pack_named

RUNS = [f"2026080{day}-131320.250000-a1b2" for day in range(1, 10)]


@pytest.fixture
def packs(tmp_path: Path) -> Packs:
    return Packs(tmp_path / "packs")


def put(packs: Packs, *runs: str) -> Path:
    with packs.locked():
        return packs.put([packed_member(run, run.encode()) for run in runs])


def refusal(asked: Callable[[], object]) -> str:
    with pytest.raises(InputError) as refused:
        asked()
    return str(refused.value)


def test_without_a_folder_there_is_nothing(packs: Packs) -> None:
    assert not packs.is_there
    assert packs.all() == []
    assert (packs.sizes(), packs.newest(), packs.has(RUNS[0])) == ({}, "", False)
    assert packs.read(RUNS[0]) is None
    assert packs.drop_runs({RUNS[0]}) == set()
    assert not packs.folder.exists()


def test_runs_of_several_packs(packs: Packs) -> None:
    second, first = put(packs, *RUNS[3:6]), put(packs, RUNS[2], RUNS[0])
    assert packs.is_there
    assert [one.path for one in packs.all()] == [first, second]
    assert [(one.first, one.last) for one in packs.all()] == [
        (RUNS[0], RUNS[2]),
        (RUNS[3], RUNS[5]),
    ]
    assert packs.sizes() == dict.fromkeys((RUNS[0], *RUNS[2:6]), 27)
    assert [packs.has(run) for run in RUNS[:4]] == [True, False, True, True]
    assert [packs.read(run) for run in RUNS[:3]] == [RUNS[0].encode(), None, RUNS[2].encode()]
    assert [one.run for one in packs.members(packs.all()[0])] == [RUNS[0], RUNS[2]]
    assert packs.newest() == RUNS[5]


def test_the_newest_of_packs_whose_ends_are_damaged(packs: Packs) -> None:
    put(packs, *RUNS[:2])
    put(packs, *RUNS[2:4])
    last = put(packs, *RUNS[4:6])
    last.write_bytes(last.read_bytes()[:-1])
    assert packs.newest() == RUNS[3]
    last.write_bytes(b"")
    assert packs.newest() == RUNS[3]


def test_a_name_is_of_a_pack_or_of_none(tmp_path: Path) -> None:
    name = f"{RUNS[0]}_{RUNS[1]}_{'0' * 16}.zip"
    found = pack_named(tmp_path, name)
    assert found is not None
    assert (found.path, found.first, found.last) == (tmp_path / name, RUNS[0], RUNS[1])
    for other in (
        name[:-1],
        f"x{name}",
        name.replace("_0", "_g", 1),
        name.replace("00.zip", ".zip"),
    ):
        assert pack_named(tmp_path, other) is None


def test_other_files_in_the_folder_are_no_packs(packs: Packs) -> None:
    path = put(packs, *RUNS[:2])
    (packs.folder / "x.zip").touch()
    (packs.folder / path.name.replace(RUNS[0], RUNS[1])).symlink_to(path)
    (packs.folder / path.name.replace(RUNS[1], RUNS[2])).mkdir()
    assert [one.path for one in packs.all()] == [path]


def test_runs_are_dropped_from_the_packs_that_have_them(packs: Packs) -> None:
    kept, changed, gone = put(packs, *RUNS[:2]), put(packs, *RUNS[2:5]), put(packs, RUNS[5])
    assert packs.drop_runs({RUNS[3], RUNS[5], RUNS[8]}) == {RUNS[3], RUNS[5]}
    assert list(packs.sizes()) == [*RUNS[:3], RUNS[4]]
    assert kept.exists()
    assert not changed.exists()
    assert not gone.exists()
    assert packs.drop_runs({RUNS[3]}) == packs.drop_runs(set()) == set()


def test_the_same_runs_are_the_same_pack_which_stays(packs: Packs) -> None:
    path = put(packs, *RUNS[:2])
    before = path.stat().st_ino
    assert put(packs, *RUNS[:2]) == path
    with packs.locked():
        packs.replace(packs.all(), [packed_member(run, run.encode()) for run in RUNS[:2]])
    assert path.stat().st_ino == before
    with packs.locked():
        packs.replace(packs.all(), [])
    assert packs.all() == []


def test_a_pack_of_the_same_name_that_is_damaged_is_told(packs: Packs) -> None:
    path = put(packs, *RUNS[:2])
    path.write_bytes(b"x")
    assert refusal(lambda: put(packs, *RUNS[:2])) == (
        f"{path}: is not the pack that its name says: it is damaged; move it away, then compact "
        "again"
    )
    (pack,) = packs.all()
    assert packs.reason_left_out(pack) == (
        f"{path}: is not a whole pack of runs; restore it from a backup, or remove it; its runs "
        "are left out"
    )
    assert packs.entries(pack) == {}
    path.unlink()
    assert packs.reason_left_out(pack) == ""
    with pytest.raises(FileNotFoundError):
        packs.entries(pack)


def test_a_pack_that_was_replaced_is_read_again(packs: Packs) -> None:
    """One of the same name, as a stranger may make; and one whose name says other runs."""
    path = put(packs, *RUNS[:3])
    (pack,) = packs.all()
    assert set(packs.entries(pack)) == set(RUNS[:3])
    path.write_bytes(packed_bytes([packed_member(run, b"x") for run in (RUNS[0], RUNS[2])]))
    assert set(packs.entries(pack)) == {RUNS[0], RUNS[2]}
    assert packs.read(RUNS[1]) is None
    path.write_bytes(packed_bytes([packed_member(run, b"x") for run in RUNS[:2]]))
    assert packs.reason_left_out(pack) == (
        f"{path}: holds other runs than its name says; its runs are left out"
    )
    assert packs.entries(pack) == {}


def test_the_range_of_a_pack_is_what_its_name_says(packs: Packs) -> None:
    put(packs, *RUNS[:3])
    (pack,) = packs.all()
    entries = packs.entries(pack)
    assert checked_range(pack, entries) is entries
    for missing in (RUNS[0], RUNS[2]):
        other = {run: one for run, one in entries.items() if run != missing}
        with pytest.raises(InputError, match="holds other runs than its name says"):
            checked_range(pack, other)


def test_a_pack_that_cannot_be_read_is_told(packs: Packs, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(packs, *RUNS[:2])
    (pack,) = packs.all()
    members = packs.members(pack)

    def refused(_: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    packs.entries(pack)
    monkeypatch.setattr(module, "open_regular", refused)
    said = f"{path}: cannot be read: Permission denied"
    assert refusal(lambda: next(members)) == said
    assert refusal(lambda: packs.read(RUNS[0])) == said
    assert packs.newest() == ""
    os.utime(path, ns=(1, 1))  # so that it is read again
    assert packs.reason_left_out(pack) == f"{said}; its runs are left out"


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda folder: folder.touch(),
            "packs: is no folder of a store; remove it, if it is not yours",
        ),
        (
            lambda folder: folder.symlink_to("."),
            "packs: is no folder of a store; remove it, if it is not yours",
        ),
        (
            lambda folder: (folder / LOCK).mkdir(parents=True),
            "packs/lock: is no file of a store; remove it",
        ),
    ],
)
def test_where_packs_cannot_be_locked(
    packs: Packs, make: Callable[[Path], object], said: str
) -> None:
    make(packs.folder)
    assert refusal(lambda: put(packs, RUNS[0])) == f"{packs.folder.parent}/{said}"


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    missing = Packs(tmp_path / "none" / "packs")
    assert refusal(lambda: put(missing, RUNS[0])) == (
        f"{tmp_path}/none/packs: cannot be changed: No such file or directory"
    )


def test_a_lock_that_is_no_file_matters_only_to_whoever_changes_packs(packs: Packs) -> None:
    put(packs, RUNS[0])
    (packs.folder / LOCK).unlink()
    (packs.folder / LOCK).mkdir()
    assert packs.drop_runs({RUNS[1]}) == set()
    assert refusal(lambda: packs.drop_runs({RUNS[0]})).endswith(
        "lock: is no file of a store; remove it"
    )


def test_the_lock_is_waited_for_and_not_for_ever(
    packs: Packs, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (module._WAIT_S, module._POLL_S) == (60.0, 0.05)
    now_s = [0.0]
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now_s[0] += 25.0

    monkeypatch.setattr(module.time, "monotonic", lambda: now_s[0])
    monkeypatch.setattr(module.time, "sleep", sleep)
    with packs.locked():
        assert refusal(lambda: put(packs, RUNS[0])) == (
            f"{packs.folder}: is being changed by another Assay for a minute now; try again later"
        )
    assert slept == [0.05] * 3
    with packs.locked():
        pass


def test_a_file_system_without_locks_is_told(packs: Packs, monkeypatch: pytest.MonkeyPatch) -> None:
    def flock(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    said = refusal(lambda: put(packs, RUNS[0]))
    assert said == f"{packs.folder}: cannot be changed: No locks available"
