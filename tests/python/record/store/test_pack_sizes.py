"""How many runs a pack gets, which packs are merged, and which files are too large for one."""

from pathlib import Path

import pytest
from records import one_sided

from assay.record.store import compaction
from assay.record.store.compaction import Compaction, compact_store
from assay.record.store.folder import Folder
from assay.record.store.mark import PACKED, check_mark
from assay.record.store.run_file import Header, encode

RUNS = [f"202608{day:02}-131320.250000-a1b2" for day in range(1, 16)]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A store of fifteen runs, of which one is larger than the others."""
    made = Folder.opened_or_made(tmp_path / "store")
    for number, run in enumerate(RUNS):
        record = one_sided(launches=9 if number == 7 else 1)
        made.write(run, encode(record, Header(run=run, time_s=1_790_000_000.0 + number)))
    return made


def compact(folder: Folder) -> Compaction:
    return compact_store(folder, lambda *_: None)


def packs_of(folder: Folder) -> list[int]:
    return [len(folder.packs.entries(pack)) for pack in folder.packs.all()]


@pytest.mark.parametrize(
    ("most", "packs"), [(4, [4, 4, 4, 3]), (5, [5, 5, 5]), (15, [15]), (16, [15])]
)
def test_a_pack_gets_so_many_runs(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, most: int, packs: list[int]
) -> None:
    monkeypatch.setattr(compaction, "_FULL_RUNS", most)
    told: list[tuple[int, int]] = []
    done = compact_store(folder, lambda *given: told.append(given))
    assert packs_of(folder) == packs
    assert told == [(number, 15) for number in range(1, 16)]
    size = sum(pack.path.stat().st_size for pack in folder.packs.all())
    assert done == Compaction(
        changed=True, runs=15, in_packs=15, packs=len(packs), packed_bytes=size
    )
    assert check_mark((folder.root / "store.json").read_bytes(), "f") == PACKED
    assert compact(folder).changed is False


@pytest.mark.parametrize(("most", "merged"), [(9, False), (10, True)])
def test_only_packs_less_than_half_full_are_merged(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, most: int, *, merged: bool
) -> None:
    compact(folder)
    (pack,) = folder.packs.all()
    members = list(folder.packs.members(pack))
    with folder.packs.locked():
        for some in (members[:4], members[4:8]):
            folder.packs.put(some)
        folder.packs.remove([pack])
    monkeypatch.setattr(compaction, "_FULL_RUNS", most)
    assert compact(folder).changed is merged
    assert packs_of(folder) == ([8] if merged else [4, 4])


@pytest.mark.parametrize(("more", "is_small"), [(0, True), (-1, False)])
def test_a_file_as_large_as_can_be_packed(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, more: int, *, is_small: bool
) -> None:
    sizes = {run: folder.file_of(run).stat().st_size for run in RUNS}
    monkeypatch.setattr(compaction, "LARGEST_MEMBER", max(sizes.values()) + more)
    largest = [run for run in RUNS if sizes[run] == max(sizes.values())]
    compact(folder)
    assert folder.runs_alone() == ([] if is_small else largest)
