"""A compaction, or the deletion of a packed run, that is killed or refused at any of its steps."""

import shutil
from pathlib import Path

import pytest
from records import one_sided, two_sided
from walked import walked

from assay.record.store.compaction import compact_store
from assay.record.store.folder import Folder
from assay.record.store.store import Store

NOW_S = 1_790_000_000.0
IMPORTS = """
from assay.record.store import compaction
from assay.record.store.folder import Folder
"""
# Packs of three runs, so that a few runs need several packs.
COMPACT = IMPORTS + "compaction._FULL_RUNS = 3\ncompaction.compact_store(Folder.opened(root), tell)"
MARKED = b'{"assay_store": 2}\n'
FAULTS = ("KILL", "ENOSPC", "EROFS")


def tell(*_: int) -> None:
    """Nobody looks."""


@pytest.fixture(scope="module")
def loose(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of four runs with a file each, and a label."""
    root = tmp_path_factory.mktemp("loose") / "store"
    store = Store.opened_or_made(root)
    for number in range(4):
        record = two_sided() if number % 2 else one_sided()
        run = store.add(record, kind="run", now_s=NOW_S + 1e6 * number)
    store.folder.label(run, "good")
    return root


@pytest.fixture(scope="module")
def half(loose: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a small pack of four runs, and two files."""
    root = tmp_path_factory.mktemp("half") / "store"
    shutil.copytree(loose, root)
    store = Store.opened(root)
    compact_store(store.folder, tell)
    for number in range(2):
        store.add(one_sided(), kind="run", now_s=NOW_S + 9e6 + number)
    return root


@pytest.fixture(scope="module")
def beside_a_pack(loose: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a small pack of two runs, and two files: all four belong into one pack."""
    root = tmp_path_factory.mktemp("beside") / "store"
    shutil.copytree(loose, root)
    folder = Folder.opened(root)
    later = {run: folder.read(run) for run in folder.runs()[2:]}
    folder.delete(*later)
    compact_store(folder, tell)
    for run, data in later.items():
        folder.write(run, data)
    return root


def held(root: Path) -> dict[str, bytes]:
    folder = Folder.opened(root)
    return {run: folder.read(run) for run in folder.runs()}


def parts_in(root: Path) -> list[Path]:
    return [path for path in root.rglob(".assay-*") if path.parent != root / "runs"]


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("template", ["loose", "half"])
def test_a_compaction_with_a_fault_at_any_step_loses_nothing(
    template: str, fault: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    source: Path = request.getfixturevalue(template)
    before = held(source)
    places = walked(COMPACT, source, tmp_path, fault)
    assert len(places) > 5
    for place in places:
        assert held(place) == before
        assert Folder.opened(place).newest() == max(before)
        assert list(Folder.opened(place).sentences_on_left_out()) == []
        # An older Assay reads version 1 only, and would see those runs alone that have files.
        is_marked = (place / "store.json").read_bytes() == MARKED
        assert is_marked or Folder.opened(place).runs_alone() == sorted(before)
        compact_store(Folder.opened(place), tell)
        assert held(place) == before
        assert Folder.opened(place).runs_alone() == []
        assert (place / "store.json").read_bytes() == MARKED
        assert not compact_store(Folder.opened(place), tell).changed
        assert parts_in(place) == []


def test_two_compactions_that_are_killed_at_any_two_steps_lose_nothing(
    beside_a_pack: Path, tmp_path: Path
) -> None:
    """A pack that the second had written, to hold what the first had left in two, lay beside
    both; the third took it for a double of itself, and removed the only copy of its runs."""
    program = COMPACT.replace("_FULL_RUNS = 3", "_FULL_RUNS = 100")
    before = held(beside_a_pack)
    firsts = walked(program, beside_a_pack, tmp_path, "KILL")
    assert len(firsts) > 5
    for first in firsts:
        places = tmp_path / f"after {first.name}"
        places.mkdir()
        for place in walked(program, first, places, "KILL"):
            assert held(place) == before
            compact_store(Folder.opened(place), tell)
            assert held(place) == before
            assert len(Folder.opened(place).packs.all()) == 1
            assert Folder.opened(place).runs_alone() == []
            assert not compact_store(Folder.opened(place), tell).changed
            assert parts_in(place) == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_deletion_with_a_fault_at_any_step_loses_nothing_else(
    half: Path, fault: str, tmp_path: Path
) -> None:
    before = held(half)
    packed, alone = min(before), max(before)
    words = f"Folder.opened(root).delete({packed!r}, {alone!r})"
    for place in walked(IMPORTS + words, half, tmp_path, fault):
        after = held(place)
        assert (
            after.items() >= {run: before[run] for run in before.keys() - {packed, alone}}.items()
        )
        assert after.items() <= before.items()
        left = after.keys() & {packed, alone}
        Folder.opened(place).delete(*left)
        assert held(place).keys() == before.keys() - {packed, alone}
        compact_store(Folder.opened(place), tell)
        assert held(place).keys() == before.keys() - {packed, alone}
