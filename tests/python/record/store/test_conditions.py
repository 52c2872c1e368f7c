"""What runs were measured under is in the catalogue, also where an older Assay had made it."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path

import pytest
from records import two_sided
from stores import HOST, START_S

from assay.history import Conditions, Note
from assay.model import Record, Sample
from assay.record.store.store import Store
from assay.workflows.store import catalogue_of, delete_runs


@dataclass(frozen=True)
class Found:
    """Of a whole store."""

    conditions: list[Conditions]
    notes: list[Note]


def found(store: Store) -> Found:
    with catalogue_of(store.folder) as catalogue:
        return Found(catalogue.conditions(), catalogue.notes())


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store.opened_or_made(tmp_path / ".assay")
    samples = tuple(
        Sample(
            benchmark="BM_a",
            values={"real_time": (time,)},
            launch=launch,
            steal=0.01 * launch,
            load=float(launch),
        )
        for launch, time in enumerate((10.0, 11.0, 12.0, 13.0, 14.0))
    )
    facts = {"host": {**HOST, "governor": "powersave"}, "notes": ["a <b>note</b>"] * 2}
    facts |= {"unavailable": ["perf: not permitted"]}
    made.add(Record(context={}, facts=facts, samples=samples), kind="run", now_s=START_S)
    return made


def test_of_a_run(store: Store) -> None:
    (one,) = found(store).conditions
    assert (one.kernel, one.governor, one.virtualisation) == ("6.1", "powersave", "kvm")
    assert (one.steal, one.most_steal, one.load) == (pytest.approx(0.02), 0.04, 2.0)
    assert one.spread == pytest.approx(1 / 12)
    assert (one.failures, one.floor) == (0, None)
    run = store.folder.newest()
    assert found(store).notes == [Note(run, "a <b>note</b>"), Note(run, "perf: not permitted")]


def test_of_a_comparison_its_floor(store: Store) -> None:
    run = store.add(two_sided(), kind="compare", now_s=START_S)
    (one,) = [one for one in found(store).conditions if one.run == run]
    assert one.floor is not None
    assert 0 < one.floor < 1


def test_a_run_that_is_deleted_leaves_nothing(store: Store) -> None:
    assert len(found(store).notes) == 2
    delete_runs(store.folder.root, ["LAST"])
    assert found(store) == Found([], [])


def test_a_catalogue_of_an_older_version_is_made_anew(store: Store) -> None:
    with catalogue_of(store.folder) as catalogue:
        before = catalogue.runs(), catalogue.conditions(), catalogue.points(1)
    base = sqlite3.connect(store.folder.root / "catalogue.sqlite")
    with base:
        for table in ("conditions", "notes"):
            base.execute(f"DROP TABLE {table}")
        base.execute("PRAGMA user_version = 1")
    base.close()
    with catalogue_of(store.folder) as catalogue:
        assert not catalogue.is_in_memory
        assert (catalogue.runs(), catalogue.conditions(), catalogue.points(1)) == before
