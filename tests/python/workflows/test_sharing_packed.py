"""Histories shared between stores of which some were compacted: each run is copied once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from remotes import SFTP_SERVER, SSHD, Place, git_place, ssh_place
from stores import Step, filled

from assay.errors import InputError
from assay.record.store.compaction import compact_store
from assay.record.store.folder import Folder
from assay.record.store.remotes.opened import opened_remote
from assay.record.store.shared_files import run_of
from assay.record.store.store import Store
from assay.workflows.sharing import Shared, pulled, pushed

NOW_S = 2e9
NEEDS_SSHD = pytest.mark.skipif(
    not Path(SSHD).exists() or not Path(SFTP_SERVER).exists(), reason="no OpenSSH server here"
)
# Remotes that are folders, which somebody may compact; and a branch, which has no packs.
FOLDERS = ["folder", pytest.param("ssh", marks=NEEDS_SSHD)]
KINDS = [*FOLDERS, "git"]
HOLDS_PACKS = pytest.mark.parametrize("place", FOLDERS, indirect=True)


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    if request.param == "ssh":
        with ssh_place(tmp_path) as there:
            yield there
    elif request.param == "git":
        yield git_place(tmp_path)
    else:
        (tmp_path / "mount").mkdir()
        yield Place(str(tmp_path / "mount"), tmp_path / "mount", "folder")


def compact(root: Path) -> None:
    compact_store(Folder.opened(root), lambda *_: None)


def shared(verb: str, root: Path, place: Place) -> Shared:
    with opened_remote(place.written, Path.cwd(), print) as remote:
        share = pushed if verb == "push" else pulled
        return share(root, remote, NOW_S, lambda *_: None)


def held(root: Path) -> dict[str, bytes]:
    folder = Folder.opened(root)
    return {run: folder.read(run) for run in folder.runs()}


def test_no_run_is_copied_twice_whichever_side_is_packed(place: Place, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    store = filled(ours, {"b1": Step()}, runs=5)
    before = held(ours)
    compact(ours)
    assert shared("push", ours, place).runs == 5  # of a packed store
    assert shared("push", ours, place).copied == []
    if place.kind != "git":  # a branch is no folder that anybody compacts
        compact(place.folder)
    assert shared("push", ours, place).copied == []
    assert shared("pull", ours, place).copied == []
    assert shared("pull", theirs, place).runs == 5
    assert held(theirs) == before
    assert Folder.opened(theirs).runs_alone() == sorted(before)
    assert shared("pull", theirs, place).copied == []
    compact(theirs)
    assert shared("pull", theirs, place).copied == []
    run = store.add(store.load("LAST"), kind="run", now_s=NOW_S - 1e6)
    assert shared("push", ours, place).runs == 1
    assert shared("pull", theirs, place).runs == 1
    assert Folder.opened(theirs).runs_alone() == [run]
    assert held(theirs) == held(ours)
    for root in (ours, theirs):
        assert Store.opened(root).load("LAST") == store.load(run)


@HOLDS_PACKS
@pytest.mark.parametrize("before", ["alone", "packed"])
def test_runs_that_are_packed_after_they_were_listed_are_fetched(
    before: str, place: Place, tmp_path: Path
) -> None:
    """Whoever compacts a store moves runs into packs, and small packs into larger ones."""
    store = filled(place.folder, {"b1": Step()}, runs=4)
    if before == "packed":
        compact(place.folder)
        for number in range(4):
            store.add(store.load("LAST"), kind="run", now_s=NOW_S - 1e6 + number)
    there = held(place.folder)
    with opened_remote(place.written, Path.cwd(), print) as remote:
        names = list(remote.listed().files)
        compact(place.folder)
        assert Folder.opened(place.folder).runs_alone() == []
        found = dict(remote.fetched(names))
    assert {run_of(name): data for name, data in found.items() if run_of(name)} == there


@HOLDS_PACKS
def test_a_run_that_was_deleted_after_it_was_listed_is_told(place: Place) -> None:
    filled(place.folder, {"b1": Step()}, runs=2)
    with opened_remote(place.written, Path.cwd(), print) as remote:
        names = list(remote.listed().files)
        Folder.opened(place.folder).delete(*Folder.opened(place.folder).runs())
        with pytest.raises(InputError, match=r"runs/.*parquet"):
            list(remote.fetched(names))


@HOLDS_PACKS
@pytest.mark.parametrize("fault", ["of a run", "of its end"])
def test_damage_in_a_pack_there_is_left_out_and_the_rest_is_pulled(
    fault: str, place: Place, tmp_path: Path
) -> None:
    filled(place.folder, {"b1": Step()}, runs=3)
    runs = Folder.opened(place.folder).runs()
    compact(place.folder)
    (pack,) = Folder.opened(place.folder).packs.all()
    data = bytearray(pack.path.read_bytes())
    data[100 if fault == "of a run" else -1] ^= 1
    pack.path.write_bytes(data)
    done = shared("pull", tmp_path / "ours", place)
    if fault == "of a run":
        assert (done.runs, len(done.problems)) == (2, 1)
        assert f"{runs[0]}.parquet is left out: it is not a whole Parquet file" in done.problems[0]
    else:
        assert (done.runs, done.strangers) == (0, 1)


@HOLDS_PACKS
def test_an_older_assay_refuses_a_store_that_was_compacted(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here and there; what it then says was said before there were packs."""
    filled(place.folder, {"b1": Step()}, runs=3)
    compact(place.folder)
    monkeypatch.setattr("assay.record.store.mark.VERSION", 1)
    with pytest.raises(InputError) as told:
        shared("pull", tmp_path / "ours", place)
    assert "is a store of version 2, this Assay reads up to 1" in str(told.value)
    assert "use a newer Assay" in told.value.hint


def test_what_an_unpacked_store_looks_like_has_not_changed(tmp_path: Path) -> None:
    filled(tmp_path / "ours", {"b1": Step()}, runs=2)
    shared("push", tmp_path / "ours", Place(str(made(tmp_path / "mount")), tmp_path, "folder"))
    for root in (tmp_path / "ours", tmp_path / "mount"):
        assert {path.name for path in root.iterdir()} == {".gitignore", "store.json", "runs"}
        assert (root / "store.json").read_bytes() == b'{"assay_store": 1}\n'


def made(folder: Path) -> Path:
    folder.mkdir()
    return folder
