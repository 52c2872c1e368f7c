"""What the catalogue of a store knows of its runs: exact rows, from runs made for it."""

import math
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from assay.history import Conditions, Crashes, Note, Point, RunRow, SeriesName
from assay.model import Failure, Record, Sample, Side
from assay.record.store import catalogue as module
from assay.record.store.catalogue import Catalogue
from assay.record.store.folder import Folder
from assay.record.store.store import Store

NOW_S = 1_790_000_000.0


def summary(launches: Sequence[Sequence[float]], metric: str) -> tuple[float, float, float, int]:
    """First, least and largest value: easier to follow than medians."""
    every = [value for launch in launches for value in launch]
    return every[0], min(every), max(every), len(launches)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.opened_or_made(tmp_path / ".assay")


def launches(
    *values: tuple[float, ...], benchmark: str = "B", metric: str = "real_time", **more: object
) -> list[Sample]:
    return [
        Sample(benchmark=benchmark, values={metric: some}, launch=number, **more)  # type: ignore[arg-type]
        for number, some in enumerate(values)
    ]


def add(
    store: Store,
    samples: Sequence[Sample],
    kind: str = "run",
    *,
    later_s: float = 0.0,
    failures: Sequence[Failure] = (),
    **facts: object,
) -> str:
    record = Record(context={}, facts=facts, samples=tuple(samples), failures=tuple(failures))
    return store.add(record, kind=kind, now_s=NOW_S + later_s)


def refreshed(store: Store) -> Catalogue:
    made = Catalogue(store.folder, summary)
    made.refresh()
    return made


def points(store: Store, benchmark: str = "B", metric: str = "real_time") -> list[Point]:
    with refreshed(store) as catalogue:
        (one,) = [o for o in catalogue.names() if (o.benchmark, o.metric) == (benchmark, metric)]
        assert catalogue.series(*one[1:]) == one.number
        return catalogue.points(one.number)


def test_a_run_is_a_row(store: Store) -> None:
    samples = [*launches((1.0, 2.0), (3.0,)), *launches((5.0,), benchmark="C")]
    run = add(store, samples, git={"revision": "abc"}, targets={"target": "bench"})
    with refreshed(store) as catalogue:
        (row,) = catalogue.runs()
        assert catalogue.known_runs() == {run}
        assert [one[1:] for one in catalogue.series_of_run(run)] == [
            ("B", "real_time", "ns"),
            ("C", "real_time", "ns"),
        ]
        assert catalogue.series_of_run("none") == []
    assert (row.run, row.problem, row.revision, row.kind) == (run, "", "abc", "run")
    assert (row.time_s, row.benchmarks, row.samples) == (NOW_S, 2, 4)
    assert row.bytes == len(store.folder.read(run))


def test_a_run_that_cannot_be_read_is_a_row_with_its_problem(store: Store) -> None:
    run = add(store, launches((1.0,)))
    store.folder.file_of(run).write_bytes(b"x")
    with refreshed(store) as catalogue:
        (row,) = catalogue.runs()
        assert catalogue.known_runs() == {run}
        assert catalogue.names() == catalogue.conditions() == []
    assert row == RunRow(run, row.problem, 0.0, "", "", "", "", "", 0, 0, 0)
    assert "is not a whole Parquet file" in row.problem


@pytest.mark.parametrize(("unit", "factor"), [("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)])
def test_times_are_nanoseconds(store: Store, unit: str, factor: float) -> None:
    add(store, launches((2.0, 1.0), (4.0,), time_unit=unit))
    (one,) = points(store)
    assert (one.value, one.low, one.high, one.launches) == (2 * factor, factor, 4 * factor, 2)
    with refreshed(store) as catalogue:
        assert [series.unit for series in catalogue.names()] == ["ns"]


def test_other_values_are_as_they_are(store: Store) -> None:
    add(store, launches((2.0,), metric="allocs"))
    assert [one.value for one in points(store, metric="allocs")] == [2.0]
    with refreshed(store) as catalogue:
        assert catalogue.series("B", "allocs", "x") is None


def test_a_condition_is_part_of_the_name(store: Store) -> None:
    add(store, [*launches((1.0,), condition="strace"), *launches((2.0,))])
    assert [one.value for one in points(store, "B [strace]")] == [1.0]
    assert [one.value for one in points(store)] == [2.0]


def test_a_point_for_each_side_in_the_order_of_commits(store: Store) -> None:
    samples = [*launches((1.0,), side=Side.BASE), *launches((2.0,), side=Side.CANDIDATE)]
    builds = {
        "base": {"revision": "aaa", "time_s": 9.0},
        "candidate": {"revision": "bbb", "time_s": 3.0},
    }
    add(store, samples, "compare", builds=builds)
    assert [(one.side, one.revision, one.time_s, one.value) for one in points(store)] == [
        ("candidate", "bbb", 3.0, 2.0),
        ("base", "aaa", 9.0, 1.0),
    ]


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_no_point(store: Store, value: float) -> None:
    add(store, launches((1.0,)))
    for told in ((value, 1.0, 1.0, 1), (1.0, value, 1.0, 1), (1.0, 1.0, value, 1)):
        with Catalogue(store.folder, lambda _launches, _metric, told=told: told) as catalogue:
            catalogue.refresh()
            assert catalogue.names() == []
        (store.folder.root / "catalogue.sqlite").unlink()


def conditions(store: Store) -> Conditions:
    with refreshed(store) as catalogue:
        (one,) = catalogue.conditions()
    return one


def test_under_which_conditions_a_run_was_measured(store: Store) -> None:
    samples = [
        *launches((10.0, 8.0), (14.0,), steal=0.1, load=1.0),  # half of 6 over 10
        *launches((4.0,), (4.4,), benchmark="C", steal=0.3, load=2.0),  # half of 0.4 over 4
        *launches((7.0,), (9.0,), benchmark="D", metric="allocs"),  # no times
        *launches((7.0,), benchmark="E", steal=1e12, load=-1e12),  # one launch, and nonsense
        *launches((0.0,), (1.0,), benchmark="F"),  # no share of nothing
    ]
    host = {"kernel": "6.1", "governor": "performance", "virtualisation": "kvm"}
    run = add(store, samples, host=host, failures=[Failure(benchmark="B", what="x")] * 3)
    one = conditions(store)
    assert (one.run, one.time_s) == (run, NOW_S)
    assert (one.kernel, one.governor, one.virtualisation) == ("6.1", "performance", "kvm")
    assert (one.steal, one.most_steal, one.load) == (pytest.approx(0.2), 0.3, pytest.approx(1.5))
    assert (one.failures, one.floor) == (3, None)
    assert one.spread == pytest.approx((0.3 + 0.05) / 2)


def test_conditions_that_nobody_knows(store: Store) -> None:
    add(store, launches((1.0,)))
    one = conditions(store)
    assert (one.kernel, one.governor, one.virtualisation, one.failures) == ("", "", "", 0)
    assert (one.steal, one.most_steal, one.load, one.spread, one.floor) == (None,) * 5


@pytest.mark.parametrize(
    ("kind", "design", "floor"),
    [
        ("compare", "interleaved", 0.03),
        ("compare", "sequential", None),
        ("run", "interleaved", None),
    ],
)
def test_the_floor_is_asked_of_comparisons_in_rounds_only(
    store: Store, kind: str, design: str, floor: float | None
) -> None:
    run = add(store, launches((1.0,), side=Side.BASE), kind, design=design)
    asked = []

    def found(data: bytes, origin: str) -> float:
        asked.append((data, origin))
        return 0.03

    with Catalogue(store.folder, summary, found) as catalogue:
        catalogue.refresh()
        assert [one.floor for one in catalogue.conditions()] == [floor]
    path = str(store.folder.file_of(run))
    assert asked == ([(store.folder.read(run), path)] if floor else [])


def test_notes_of_a_run_are_kept_once_and_not_without_end(store: Store) -> None:
    run = add(store, launches((1.0,)), notes=["b", "a", "b"], unavailable=["x" * 501])
    other = add(store, launches((1.0,)), later_s=1.0, notes=[f"{n:03}" for n in range(51)])
    with refreshed(store) as catalogue:
        notes = catalogue.notes()
    assert [one for one in notes if one.run == run] == [
        Note(run, "a"),
        Note(run, "b"),
        Note(run, "x" * 500),
    ]
    assert [one.text for one in notes if one.run == other] == [f"{n:03}" for n in range(50)]


def test_what_crashes_of_a_plug_in_counted(store: Store) -> None:
    samples = [
        Sample(benchmark="crash/map/reopen", values={"kills": (7.0,), "real_time": (2.0,)}),
        Sample(benchmark="crash/tree/reopen", values={"kills": (5.0,)}),
    ]
    run = add(store, samples, "crash")
    add(store, samples, "run", later_s=1.0)
    with refreshed(store) as catalogue:
        assert catalogue.crashes() == [
            Crashes(run, NOW_S, catalogue.runs()[0].host, "map", {"kills": 7.0, "real_time": 2.0}),
            Crashes(run, NOW_S, catalogue.runs()[0].host, "tree", {"kills": 5.0}),
        ]


def test_series_are_in_the_order_of_their_names(store: Store) -> None:
    both = {"real_time": (1.0,), "allocs": (1.0,)}
    add(store, [Sample(benchmark=name, values=both) for name in ("b", "a")])
    with refreshed(store) as catalogue:
        names = catalogue.names()
        assert isinstance(names[0], SeriesName)
        assert [one[1:3] for one in names] == [
            ("a", "allocs"),
            ("a", "real_time"),
            ("b", "allocs"),
            ("b", "real_time"),
        ]


def test_only_what_is_new_is_read_and_what_is_gone_is_forgotten(store: Store) -> None:
    runs = [add(store, launches((1.0,)), later_s=number, notes=["x"]) for number in range(3)]
    told: list[tuple[int, int]] = []
    with Catalogue(store.folder, summary) as catalogue:
        catalogue.refresh(lambda done, of: told.append((done, of)))
        catalogue.refresh(lambda done, of: told.append((done, of)))
        store.folder.delete(runs[1])
        added = add(store, launches((1.0,)), later_s=9.0)
        catalogue.refresh(lambda done, of: told.append((done, of)))
        assert told == [(3, 3), (1, 1)]
        left = [runs[0], runs[2], added]
        assert [one.run for one in catalogue.runs()] == left
        assert [one.run for one in catalogue.conditions()] == left
        assert [one.run for one in catalogue.notes()] == [runs[0], runs[2]]
        assert [one.run for one in catalogue.points(catalogue.names()[0].number)] == left


def test_runs_are_added_fifty_at_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert module._BATCH == 50
    monkeypatch.setattr(module, "_BATCH", 2)
    for number in range(5):
        add(store, launches((1.0,)), later_s=number)
    told: list[tuple[int, int]] = []
    with Catalogue(store.folder, summary) as catalogue:
        catalogue.refresh(lambda done, of: told.append((done, of)))
    assert told == [(2, 5), (4, 5), (5, 5)]


def test_tables_of_other_types_are_made_anew_in_memory(store: Store) -> None:
    run = add(store, launches((1.0,)))
    refreshed(store).close()
    place = store.folder.root / "catalogue.sqlite"
    with sqlite3.connect(place) as base:
        base.execute("UPDATE runs SET kind = x'ff'")
    base.close()
    with Catalogue(store.folder, summary) as catalogue:
        assert not catalogue.is_in_memory
        assert [(one.run, one.kind) for one in catalogue.runs()] == [(run, "run")]
        assert catalogue.is_in_memory
    assert not place.exists()


def test_a_catalogue_that_another_process_deleted_tables_of_stays(store: Store) -> None:
    """No such table is no damage of the file: who made it may be at work."""
    add(store, launches((1.0,)))
    place = store.folder.root / "catalogue.sqlite"
    with refreshed(store) as catalogue:
        with sqlite3.connect(place) as base:
            base.execute("DROP TABLE runs")
        base.close()
        catalogue.refresh()
        assert catalogue.is_in_memory
        assert len(catalogue.runs()) == 1
    assert place.exists()


def test_what_is_wrong_in_memory_is_raised(store: Store) -> None:
    add(store, launches((1.0,)))
    with refreshed(store) as catalogue:
        catalogue._rebuild(is_damaged=False)
        catalogue._base.execute("DROP TABLE runs")
        with pytest.raises(sqlite3.DatabaseError):
            catalogue.runs()


def test_a_catalogue_is_of_one_store(tmp_path: Path) -> None:
    one, other = (Store.opened_or_made(tmp_path / name) for name in "ab")
    add(one, launches((1.0,)))
    with refreshed(other) as catalogue:
        assert catalogue.runs() == []
    assert Folder.opened(one.folder.root).runs()
