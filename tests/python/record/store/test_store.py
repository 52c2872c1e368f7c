"""Runs are added, found by name, and never half there."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest
from records import two_sided

from assay.errors import InputError, UsageError
from assay.judge.labs.run_point import run_point
from assay.model import Record, Sample, Side
from assay.record.store import derived
from assay.record.store.catalogue import Catalogue
from assay.record.store.folder import Folder
from assay.record.store.run_file import decode
from assay.record.store.run_id import is_clock_behind, new_run_id, stored_at
from assay.record.store.store import Store

NOW_S = 1_790_000_000.0


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.opened_or_made(tmp_path / ".assay")


def one_sided(value: float = 100.0, **facts: object) -> Record:
    samples = tuple(
        Sample(benchmark="BM_a/8", values={"real_time": (value, value + 2, value + 8)}, launch=n)
        for n in range(5)
    )
    return Record(context={}, facts={"git": {"revision": "abc"}, **facts}, samples=samples)


def test_what_was_added_is_found_again(store: Store) -> None:
    first = store.add(one_sided(1.0), kind="run", now_s=NOW_S)
    second = store.add(one_sided(2.0), kind="run", now_s=NOW_S + 1)
    store.folder.label(first, "release/1.2")
    for written, value in (
        (first, 1.0),
        ("release/1.2", 1.0),
        ("LAST", 2.0),
        (second, 2.0),
        (second[:15], 2.0),
    ):
        assert store.load(written).samples == one_sided(value).samples


@pytest.mark.parametrize("written", ["nothing", "", "2099", "../../etc"])
def test_a_run_that_is_not_there_is_said_so(store: Store, written: str) -> None:
    store.add(one_sided(), kind="run", now_s=NOW_S)
    with pytest.raises(InputError, match="no such run or label"):
        store.load(written)


def test_a_beginning_of_two_runs_means_neither(store: Store) -> None:
    for _ in range(2):
        store.add(one_sided(), kind="run", now_s=NOW_S)
    with pytest.raises(InputError, match="is the beginning of 2 runs"):
        store.load("2026")


@pytest.mark.parametrize(
    "name", ["", "LAST", "a b", "../up", "-x", "20260921-131320.000000-a1b2", "x" * 101, "a\n"]
)
def test_what_cannot_be_a_label_is_refused(store: Store, name: str) -> None:
    run = store.add(one_sided(), kind="run", now_s=NOW_S)
    with pytest.raises(UsageError, match="cannot be a label"):
        store.folder.label(run, name)


def test_a_label_moves_to_another_run_and_goes_with_it(store: Store) -> None:
    first, second = (store.add(one_sided(), kind="run", now_s=NOW_S + n) for n in range(2))
    store.folder.label(first, "best")
    store.folder.label(second, "best")
    assert store.folder.labels() == {"best": second}
    store.folder.delete(second)
    assert store.folder.labels() == {}
    assert store.folder.runs() == [first]


def test_a_clock_put_back_does_not_reorder_runs(store: Store) -> None:
    first = store.add(one_sided(1.0), kind="run", now_s=NOW_S)
    second = store.add(one_sided(2.0), kind="run", now_s=NOW_S - 86_400)
    assert store.folder.runs() == [first, second]
    assert store.load("LAST").samples == one_sided(2.0).samples
    assert is_clock_behind(NOW_S - 86_400, first)
    assert not is_clock_behind(NOW_S, first)


def test_names_of_runs_sort_in_time() -> None:
    names = [new_run_id(NOW_S + n, "", "ffff") for n in (0, 0.001, 1, 60, 86_400, 40 * 86_400)]
    assert names == sorted(names)
    assert stored_at(names[0]).timestamp() == NOW_S


def test_machines_behind_one_shared_run_name_their_next_ones_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both clocks are behind it, so that both file after it; the four letters are the same."""
    monkeypatch.setattr("secrets.token_hex", lambda _: "ffff")
    names = set()
    for machine in range(8):
        one = Store.opened_or_made(tmp_path / str(machine))
        one.add(one_sided(1.0), kind="run", now_s=NOW_S)
        names.add(one.add(one_sided(2.0), kind="run", now_s=NOW_S - 60))
    assert len(names) > 1


def test_a_store_of_a_newer_version_is_not_touched(store: Store) -> None:
    (store.folder.root / "store.json").write_text('{"assay_store": 3}')
    with pytest.raises(InputError, match="is a store of version 3, this Assay reads up to 2"):
        Store.opened_or_made(store.folder.root)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"assay_store": "1"}'])
def test_a_store_without_a_version_says_so(store: Store, content: str) -> None:
    (store.folder.root / "store.json").write_text(content)
    with pytest.raises(InputError, match=r"version"):
        Store.opened(store.folder.root)


def test_a_folder_that_is_no_store_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no store of runs"):
        Store.opened(tmp_path)


# The catalogue


def test_the_catalogue_has_a_point_for_each_run(store: Store) -> None:
    runs = [store.add(one_sided(float(n)), kind="run", now_s=NOW_S + n) for n in range(1, 4)]
    with Catalogue(store.folder, run_point) as catalogue:
        catalogue.refresh()
        (series,) = catalogue.names()
        points = catalogue.points(series.number)
        assert [row.samples for row in catalogue.runs()] == [15, 15, 15]
    assert series[1:] == ("BM_a/8", "real_time", "ns")
    assert [(p.run, p.value, p.revision, p.launches) for p in points] == [
        (run, float(n + 1), "abc", 5) for n, run in enumerate(runs)
    ]


def test_times_of_all_units_are_one_series(store: Store) -> None:
    store.add(one_sided(1000.0), kind="run", now_s=NOW_S)
    micro = msgspec.structs.replace(
        one_sided(),
        samples=tuple(
            msgspec.structs.replace(s, time_unit="us", values={"real_time": (1.0,)})
            for s in one_sided().samples
        ),
    )
    store.add(micro, kind="run", now_s=NOW_S + 1)
    with Catalogue(store.folder, run_point) as catalogue:
        catalogue.refresh()
        (series,) = catalogue.names()
        assert [p.value for p in catalogue.points(series.number)] == [1000.0, 1000.0]


def test_the_sides_of_a_comparison_are_points_of_their_revisions(store: Store) -> None:
    record = two_sided({"Slow": 1.1})
    builds = {
        "base": {"revision": "aaa", "time_s": 2.0},
        "candidate": {"revision": "bbb", "time_s": 3.0},
    }
    facts = {**record.facts.written, "builds": builds}
    store.add(msgspec.structs.replace(record, facts=facts), kind="compare", now_s=NOW_S)
    with Catalogue(store.folder, run_point) as catalogue:
        catalogue.refresh()
        series = next(one for one in catalogue.names() if one.metric == "real_time")
        points = catalogue.points(series.number)
    assert [(p.side, p.revision, p.time_s) for p in points] == [
        ("base", "aaa", 2.0),
        ("candidate", "bbb", 3.0),
    ]
    assert points[1].value > points[0].value


BOTH = {
    "base": {"revision": "a" * 40, "time_s": 2.0},
    "candidate": {"revision": "b" * 40, "time_s": 3.0},
}


@pytest.mark.parametrize(
    ("facts", "side", "revision", "committed_s"),
    [
        ({}, None, "", {}),
        ({"git": {"revision": "abc"}}, None, "abc", {}),
        ({"git": {"revision": "abc", "dirty": True}}, None, "abc-dirty", {}),
        ({"git": {"revision": "abc", "time_s": 5.0}}, None, "abc", {"": 5.0}),
        ({"builds": {"base": BOTH["base"]}}, None, "a" * 40, {"": 2.0}),
        ({"builds": {"base": BOTH["base"]}}, Side.BASE, "a" * 40, {"base": 2.0}),
        ({"builds": BOTH}, Side.BASE, f"{'a' * 9}..{'b' * 9}", {"base": 2.0, "candidate": 3.0}),
        (
            {"builds": BOTH, "git": {"revision": "abc", "time_s": 5.0}},
            Side.BASE,
            f"{'a' * 9}..{'b' * 9}",
            {"": 5.0, "base": 2.0, "candidate": 3.0},
        ),
    ],
)
def test_which_revision_a_run_is_of(
    store: Store,
    facts: dict[str, object],
    side: Side | None,
    revision: str,
    committed_s: dict[str, float],
) -> None:
    one = Sample(benchmark="a", values={"real_time": (1.0,)}, side=side)
    run = store.add(Record(context={}, facts=facts, samples=(one,)), kind="run", now_s=NOW_S)
    header, _ = decode(store.folder.read(run), "f")
    assert (header.revision, header.committed_s) == (revision, committed_s)


@pytest.mark.parametrize(
    ("facts", "context", "measured_s", "time_s"),
    [
        ({"date": "2026-01-01T00:00:00+00:00"}, {"date": "x"}, 7.0, 1_767_225_600.0),
        ({}, {"date": "2026-01-01T02:00:00+02:00"}, 7.0, 1_767_225_600.0),
        ({}, {"date": "2026-01-01T00:00:00"}, 7.0, 1_767_225_600.0),
        ({}, {"date": "yesterday"}, 7.0, 7.0),
        ({}, {"date": "0001-01-01T00:00:00+23:00"}, 7.0, 7.0),
        ({}, {"date": "0065-01-01"}, 7.0, 7.0),
        ({}, {"date": "9999-01-01"}, 7.0, 7.0),
        ({}, {}, 0.0, 0.0),
        ({}, {}, None, NOW_S),
    ],
)
def test_when_a_run_was_measured(
    store: Store,
    facts: dict[str, object],
    context: dict[str, object],
    measured_s: float | None,
    time_s: float,
) -> None:
    one = Sample(benchmark="a", values={"real_time": (1.0,)})
    record = Record(context=context, facts=facts, samples=(one,))
    run = store.add(record, kind="run", now_s=NOW_S, measured_s=measured_s)
    header, back = decode(store.folder.read(run), "f")
    assert header.time_s == time_s
    assert back.samples == (one,)
    assert store.load(run).origin == f"run:{run}"


def test_values_that_are_no_numbers_are_no_points(store: Store) -> None:
    bad = Sample(benchmark="BM_a/8", values={"real_time": (float("nan"), float("inf"))})
    store.add(Record(context={}, facts={}, samples=(bad,)), kind="run", now_s=NOW_S)
    with Catalogue(store.folder, run_point) as catalogue:
        catalogue.refresh()
        assert len(catalogue.runs()) == 1
        assert catalogue.names() == []


def test_a_damaged_run_is_named_and_the_others_are_there(store: Store) -> None:
    good, bad = (store.add(one_sided(), kind="run", now_s=NOW_S + n) for n in range(2))
    path = store.folder.file_of(bad)
    path.write_bytes(path.read_bytes()[:500])
    with Catalogue(store.folder, run_point) as catalogue:
        catalogue.refresh()
        rows = {row.run: row for row in catalogue.runs()}
        assert "is not a whole Parquet file" in rows[bad].problem
        assert rows[good].problem == ""
        assert len(catalogue.points(catalogue.names()[0].number)) == 1


@pytest.mark.parametrize("content", [b"", b"rubbish" * 1000, None])
def test_a_catalogue_lost_or_damaged_is_made_anew(store: Store, content: bytes | None) -> None:
    run = store.add(one_sided(), kind="run", now_s=NOW_S)
    with Catalogue(store.folder, run_point) as catalogue:
        catalogue.refresh()
    place = store.folder.root / "catalogue.sqlite"
    if content is None:
        place.unlink()
    else:
        place.write_bytes(content)
    with Catalogue(store.folder, run_point) as catalogue:
        catalogue.refresh()
        assert [row.run for row in catalogue.runs()] == [run]
        assert len(catalogue.names()) == 1


def test_a_full_disk_does_not_hide_what_is_there(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(60):
        store.add(one_sided(float(number + 1)), kind="run", now_s=NOW_S + number)
    made = derived.database_with_tables

    def small(place: Path | str, tables: derived.Tables) -> sqlite3.Connection:
        base = made(place, tables)
        if place != ":memory:":
            (pages,) = base.execute("PRAGMA page_count").fetchone()
            base.execute(f"PRAGMA max_page_count = {pages}")  # SQLite's own "disk is full"
        return base

    monkeypatch.setattr(derived, "database_with_tables", small)
    with Catalogue(store.folder, run_point) as catalogue:
        catalogue.refresh()
        assert len(catalogue.runs()) == 60
        assert len(catalogue.points(catalogue.names()[0].number)) == 60
    monkeypatch.undo()
    with Catalogue(store.folder, run_point) as catalogue:
        assert len(catalogue.runs()) < 60, "the disk was not full"


def test_a_run_deleted_is_forgotten(store: Store) -> None:
    kept, gone = (store.add(one_sided(), kind="run", now_s=NOW_S + n) for n in range(2))
    with Catalogue(store.folder, run_point) as catalogue:
        catalogue.refresh()
        store.folder.delete(gone)
        catalogue.refresh()
        assert [row.run for row in catalogue.runs()] == [kept]
        assert len(catalogue.points(catalogue.names()[0].number)) == 1


# Processes that are killed

_WRITER = """
import sys, time
from pathlib import Path
sys.path[:0] = sys.argv[3:]
from test_store import one_sided
from assay.record.store.store import Store
store = Store.opened_or_made(Path(sys.argv[1]))
print("ready", flush=True)
for number in range(int(sys.argv[2])):
    print(store.add(one_sided(float(number + 1)), kind="run", now_s=time.time()), flush=True)
"""


def test_a_writer_killed_leaves_whole_runs_only(tmp_path: Path) -> None:
    """Small version of `benchmarks/store_kills.py`, which kills 200 times."""
    root = tmp_path / ".assay"
    told: list[str] = []
    for number in range(6):
        told += _killed_while_storing(root, after_s=0.004 * number)
    store = Store.opened(root)
    runs = store.folder.runs()
    assert set(told) <= set(runs), "a run that was said to be stored is missing"
    assert told
    for run in runs:
        assert store.load(run).samples, run
    with Catalogue(store.folder, run_point) as catalogue:
        catalogue.refresh()
        assert [row.run for row in catalogue.runs() if not row.problem] == runs


def _killed_while_storing(root: Path, after_s: float) -> list[str]:
    """Two writers at once, one of them killed: the names they printed."""
    paths = [str(Path(__file__).parent), *sys.path]
    both = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(root), count, *paths],
            stdout=subprocess.PIPE,
            text=True,
        )
        for count in ("100000", "5")
    ]
    for process in both:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    time.sleep(after_s)
    os.kill(both[0].pid, signal.SIGKILL)
    names = [process.communicate()[0].splitlines() for process in both]
    assert both[1].returncode == 0
    return [name for of_one in names for name in of_one if len(name) == 27]


def test_parts_left_by_a_killed_writer_go_away(store: Store) -> None:
    run = store.add(one_sided(), kind="run", now_s=NOW_S)
    month = store.folder.file_of(run).parent
    old, fresh = month / ".assay-old", month / ".assay-fresh"
    for part in (old, fresh):
        part.write_bytes(b"half")
    os.utime(old, (1.0, 1.0))
    store.add(one_sided(), kind="run", now_s=NOW_S + 1)
    assert not old.exists()
    assert fresh.exists()
    assert len(Folder.opened(store.folder.root).runs()) == 2
