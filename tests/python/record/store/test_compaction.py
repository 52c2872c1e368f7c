"""Packing runs changes nothing but where their bytes lie, whoever looks or writes meanwhile."""

import random
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from other_users import ASSAY, NOBODY, why_not
from records import one_sided, two_sided, with_latencies

from assay.errors import InputError
from assay.judge.labs.run_point import run_point
from assay.record.store import compaction, pack_file
from assay.record.store.catalogue import Catalogue
from assay.record.store.compaction import Compaction, compact_store
from assay.record.store.folder import Folder
from assay.record.store.run_file import Header, decode, encode
from assay.record.store.shared_files import SharedFiles, run_name
from assay.record.store.store import Store

NOW_S = 1_790_000_000.0
RUNS = [f"2026{month:02}0{day}-131320.250000-a1b2" for month in (8, 9, 11) for day in range(1, 6)]


def compact(folder: Folder) -> Compaction:
    return compact_store(folder, lambda *_: None)


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    """Runs of all kinds, as bytes."""
    odd = one_sided(names=("a/b:c\u202e", "\x1b[31m"), launches=2)
    records = [one_sided(), two_sided(), with_latencies(two_sided()), odd, one_sided(launches=1)]
    return {
        run: encode(records[number % len(records)], Header(run=run, time_s=NOW_S + number))
        for number, run in enumerate(RUNS)
    }


@pytest.fixture
def folder(tmp_path: Path, files: dict[str, bytes]) -> Folder:
    made = Folder.opened_or_made(tmp_path / "store")
    for run, data in files.items():
        made.write(run, data)
    return made


def held(folder: Folder) -> dict[str, bytes]:
    return {run: folder.read(run) for run in folder.runs()}


def test_files_stay_where_the_pack_of_their_name_is_damaged(
    folder: Folder, files: dict[str, bytes]
) -> None:
    """A pack is named by its content: what restored its runs as files would be packed under the
    name of the damaged one, which was not written again, and the files were removed."""
    compact(folder)
    (pack,) = folder.packs.all()
    whole = pack.path.read_bytes()
    pack.path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    for run, data in files.items():
        folder.write(run, data)
    with pytest.raises(InputError, match="is damaged"):
        compact(folder)
    assert held(folder) == files
    pack.path.unlink()
    compact(folder)
    assert held(folder) == files


def test_who_is_killed_between_two_packs_leaves_no_run_twice(
    folder: Folder, files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process put most runs of a small pack into a new one, and died before it removed the
    old one, while this compaction did not hold the lock."""
    monkeypatch.setattr(compaction, "_FULL_RUNS", 8)
    locked, times = folder.packs.locked, 0

    @contextmanager
    def with_a_death_after_the_first() -> Iterator[None]:
        nonlocal times
        with locked():
            yield
        times += 1
        if times == 1:
            members = [one for pack in folder.packs.all() for one in folder.packs.members(pack)]
            with locked():
                folder.packs.put(members[:3])

    monkeypatch.setattr(folder.packs, "locked", with_a_death_after_the_first)
    compact(folder)
    assert times > 1
    assert held(folder) == files
    assert not any(map(folder.packs.reason_left_out, folder.packs.all()))


def test_the_whole_copy_of_a_run_in_two_packs_stays(
    folder: Folder, files: dict[str, bytes]
) -> None:
    """Where the copy that would stay is damaged, nothing is removed."""
    compact(folder)
    (pack,) = folder.packs.all()
    with folder.packs.locked():
        second = folder.packs.put(list(folder.packs.members(pack))[1:])
    data = bytearray(pack.path.read_bytes())
    run, entry = list(folder.packs.entries(pack).items())[2]
    data[entry.start + entry.packed // 2] ^= 1
    pack.path.write_bytes(data)
    with pytest.raises(InputError):
        compact(folder)
    assert second.exists()
    pack.path.unlink()
    assert folder.read(run) == files[run]


def test_records_and_the_catalogue_are_the_same_after_packing(
    folder: Folder, files: dict[str, bytes]
) -> None:
    store = Store(folder)
    before = {run: store.load(run) for run in RUNS}
    with Catalogue(folder, run_point) as catalogue:
        catalogue.refresh()
        rows, names = catalogue.runs(), catalogue.names()
    assert compact(folder).runs == len(RUNS)
    assert folder.runs_alone() == []
    assert {run: store.load(run) for run in RUNS} == before
    (folder.root / "catalogue.sqlite").unlink()
    with Catalogue(folder, run_point) as catalogue:
        catalogue.refresh()
        assert (catalogue.runs(), catalogue.names()) == (rows, names)
    assert {run: decode(data, "")[0].run for run, data in held(folder).items()} == {
        run: run for run in RUNS
    }


def test_any_tool_unpacks_a_pack_into_the_files_that_they_were(
    folder: Folder, files: dict[str, bytes]
) -> None:
    before = {path: path.read_bytes() for path in (folder.root / "runs").rglob("*.parquet")}
    compact(folder)
    for pack in folder.packs.all():
        with zipfile.ZipFile(pack.path) as file:
            assert file.testzip() is None
            file.extractall(folder.root / "runs")
    assert {path: path.read_bytes() for path in (folder.root / "runs").rglob("*.parquet")} == before
    assert held(folder) == files


def test_small_packs_become_one_and_full_ones_stay(
    folder: Folder, files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction, "_FULL_RUNS", 12)
    done = compact(folder)
    assert (done.runs, done.in_packs, done.packs) == (15, 15, 2)
    full = [pack.path for pack in folder.packs.all() if len(folder.packs.entries(pack)) == 12]
    later = "20261201-131320.250000-a1b2"
    folder.write(later, encode(one_sided(), Header(run=later, time_s=NOW_S)))
    stayed = full[0].stat().st_ino
    assert (compact(folder).runs, len(folder.packs.all())) == (1, 2)
    assert full[0].stat().st_ino == stayed
    assert folder.newest() == later


@pytest.mark.parametrize("runs", [0, 1])
def test_a_store_with_nothing_to_merge_stays_as_it_is(runs: int, tmp_path: Path) -> None:
    store = Store.opened_or_made(tmp_path / "store")
    for _ in range(runs):
        store.add(one_sided(), kind="run", now_s=NOW_S)
    before = sorted(store.folder.root.rglob("*"))
    assert compact(store.folder) == Compaction()
    assert sorted(store.folder.root.rglob("*")) == before


def test_what_cannot_be_read_or_is_large_keeps_its_file(
    folder: Folder, files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    large, cut, other = RUNS[0], RUNS[1], RUNS[2]
    monkeypatch.setattr(compaction, "LARGEST_MEMBER", max(map(len, files.values())))
    folder.file_of(large).write_bytes(files[large] + bytes(10**6))
    folder.file_of(cut).write_bytes(files[cut][:-9])
    folder.file_of(other).write_bytes(files[RUNS[3]])
    before = held(folder)
    done = compact(folder)
    assert folder.runs_alone() == [large, cut, other]
    assert held(folder) == before
    assert len(done.problems) == 2
    assert f"{cut}.parquet: is no Parquet file" in done.problems[0]
    assert f"{other}.parquet: holds run {RUNS[3]!r}; it keeps its file" in done.problems[1]


def test_a_run_in_a_file_and_in_a_pack_is_one_run(folder: Folder, files: dict[str, bytes]) -> None:
    compact(folder)
    folder.write(RUNS[4], files[RUNS[4]])
    folder.write(RUNS[5], files[RUNS[6]])  # damage: another content under the same name
    assert folder.runs() == RUNS
    assert folder.read(RUNS[5]) == files[RUNS[6]]
    done = compact(folder)
    assert folder.runs_alone() == [RUNS[5]]
    assert "one of the two is damaged; both stay as they are" in done.problems[0]
    folder.delete(RUNS[4], RUNS[5])
    assert folder.runs() == sorted(set(RUNS) - set(RUNS[4:6]))


def test_two_packs_with_the_same_runs_become_one(
    folder: Folder, files: dict[str, bytes], tmp_path: Path
) -> None:
    """As where two machines that cannot see each other's locks compact the same folder."""
    other = tmp_path / "other"
    shutil.copytree(folder.root, other)
    Folder.opened(other).delete(RUNS[0])
    compact(folder)
    compact(Folder.opened(other))
    for pack in Folder.opened(other).packs.all():
        shutil.copy(pack.path, folder.packs.folder)
    assert (len(folder.packs.all()), folder.runs()) == (2, RUNS)
    assert compact(folder).changed
    assert (len(folder.packs.all()), held(folder)) == (1, files)
    folder.delete(RUNS[1])
    assert folder.runs() == sorted(set(RUNS) - {RUNS[1]})


def test_whoever_looks_while_others_pack_and_delete_sees_every_run(
    folder: Folder, files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction, "_FULL_RUNS", 4)
    monkeypatch.setattr("assay.record.store.packs._POLL_S", 0.001)
    gone, stay = RUNS[::5], sorted(set(RUNS) - set(RUNS[::5]))
    with ThreadPoolExecutor() as pool:
        work = [pool.submit(compact, Folder.opened(folder.root)) for _ in range(2)]
        work += [pool.submit(folder.delete, run) for run in gone]
        while not all(one.done() for one in work):
            assert set(Folder.opened(folder.root).runs()) >= set(stay)
            assert SharedFiles(folder).listed().keys() >= set(map(run_name, stay))
            run = random.choice(stay)
            assert folder.read(run) == files[run]
        for one in work:
            assert one.exception() is None
    assert held(folder) == {run: files[run] for run in stay}
    compact(folder)
    assert held(folder) == {run: files[run] for run in stay}


def test_a_run_that_is_deleted_while_it_is_packed_stays_deleted(
    folder: Folder, files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pack with it is there when its file goes: deleting looks into packs last."""
    put = folder.packs.put

    def deleted_before(members: list[pack_file.Member]) -> Path:
        folder.file_of(RUNS[3]).unlink(missing_ok=True)  # as `delete` begins
        return put(members)

    monkeypatch.setattr(folder.packs, "put", deleted_before)
    compact(folder)
    # As `delete` goes on, once it has the lock.
    assert folder.packs.drop_runs({RUNS[3]}) == {RUNS[3]}
    assert folder.runs() == sorted(set(RUNS) - {RUNS[3]})


def test_somebody_who_holds_the_lock_is_waited_for_and_then_told(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assay.record.store.packs._WAIT_S", 0.0)
    with folder.packs.locked(), pytest.raises(InputError, match="is being changed by another"):
        compact(folder)
    assert folder.runs_alone() == RUNS


def test_a_pack_that_was_damaged_is_named_and_left_alone(
    folder: Folder, files: dict[str, bytes]
) -> None:
    compact(folder)
    (pack,) = folder.packs.all()
    data = bytearray(pack.path.read_bytes())
    data[pack_file._LOCAL.size + 20] ^= 1  # in the bytes of the oldest run
    pack.path.write_bytes(data)
    with pytest.raises(InputError, match=f"holds run {RUNS[0]} damaged"):
        folder.read(RUNS[0])
    assert {run: folder.read(run) for run in RUNS[1:]} == {run: files[run] for run in RUNS[1:]}
    folder.delete(RUNS[0])
    assert held(folder) == {run: files[run] for run in RUNS[1:]}
    (pack,) = folder.packs.all()
    pack.path.write_bytes(bytes(data)[:-1])
    assert folder.runs() == []
    assert ["is not a whole pack of runs" in line for line in folder.sentences_on_left_out()] == [
        True
    ]
    assert pack.path.exists()


@pytest.mark.parametrize("name", ["packs", "packs/lock"])
def test_a_link_where_packs_belong_leads_nowhere(
    name: str, folder: Folder, files: dict[str, bytes], tmp_path: Path
) -> None:
    (tmp_path / "outside").mkdir()
    (folder.root / name).parent.mkdir(exist_ok=True)
    (folder.root / name).symlink_to(tmp_path / "outside")
    with pytest.raises(InputError, match="is no f"):
        compact(folder)
    assert held(folder) == files
    assert list((tmp_path / "outside").iterdir()) == []
    folder.delete(RUNS[0])
    assert folder.runs() == RUNS[1:]


@pytest.mark.skipif(bool(why_not()), reason=why_not())
def test_a_folder_that_cannot_be_written_is_refused_in_a_sentence(
    folder: Folder, files: dict[str, bytes]
) -> None:
    """As a user who may read the store only."""
    for path in folder.root.parents:
        path.chmod(path.stat().st_mode | 0o055)
    words = [*NOBODY, str(ASSAY), "runs", "compact", "--store", str(folder.root)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "cannot be changed: Permission denied" in done.stderr
    assert held(folder) == files
