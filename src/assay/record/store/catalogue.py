"""An index of a store in SQLite: for each run, one number for each benchmark and metric.

    with Catalogue(folder, run_point) as catalogue:
        catalogue.refresh()
        catalogue.runs(), catalogue.names(), catalogue.points(...)

It is made of the run files, which alone count: missing, damaged or of another version, it is
made anew; a run of 10,000 samples takes 20 ms. `refresh` adds the runs that are new and removes
those that are gone. SQLite lets any number of processes read it and one at a time write it
(docs/decisions/0036-store.md). For a store that cannot be written it lies in the user's cache.
"""

import math
import sqlite3
from collections.abc import Callable, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any, TypeVar

from assay.errors import InputError
from assay.history import Conditions, Crashes, Lab, Note, Point, RunRow, SeriesName
from assay.record.store.derived import (
    Tables,
    database_with_tables,
    opened_database,
    path_of_database,
    remove,
)
from assay.record.store.folder import Folder
from assay.typed_json import converted
from assay.units import TIME_UNITS_NS

if TYPE_CHECKING:
    from assay.record.store.run_file import Rows

_SQL = """
CREATE TABLE runs (
    number INTEGER PRIMARY KEY, run TEXT UNIQUE NOT NULL, problem TEXT NOT NULL,
    time_s REAL, host TEXT, revision TEXT, suite TEXT, kind TEXT, target TEXT,
    benchmarks INTEGER, samples INTEGER, bytes INTEGER);
CREATE TABLE series (
    number INTEGER PRIMARY KEY, benchmark TEXT NOT NULL, metric TEXT NOT NULL, unit TEXT NOT NULL,
    UNIQUE (benchmark, metric, unit));
CREATE TABLE points (
    series INTEGER NOT NULL, run INTEGER NOT NULL, side TEXT NOT NULL, revision TEXT NOT NULL,
    time_s REAL NOT NULL,
    value REAL NOT NULL, low REAL NOT NULL, high REAL NOT NULL, launches INTEGER NOT NULL,
    PRIMARY KEY (series, run, side)) WITHOUT ROWID;
CREATE INDEX points_of_run ON points (run);
CREATE TABLE conditions (
    run INTEGER PRIMARY KEY, kernel TEXT NOT NULL, governor TEXT NOT NULL,
    virtualisation TEXT NOT NULL, steal REAL, most_steal REAL, load REAL,
    failures INTEGER NOT NULL, spread REAL, floor REAL);
CREATE TABLE notes (run INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (run, text))
    WITHOUT ROWID;
"""
_TABLES = Tables(
    version=2,  # version 2 added the table of conditions that runs were measured under
    names=("runs", "series", "points", "conditions", "notes"),
    sql=_SQL,
)

_Rows = TypeVar("_Rows")
_CrashCount = tuple[str, float, str, str, str, float]
# What `assay index --crash` puts before and after a plug-in's name in the name of a benchmark.
_CRASH, _REOPEN = "crash/", "/reopen"
# A function from each launch's values and the metric to median, quartiles and number of launches.
Summary = Callable[[Sequence[Sequence[float]], str], tuple[float, float, float, int]]
Floor = Callable[[bytes, str], float | None]  # gives the floor that the bytes of a run's file show


class Catalogue:
    """An open catalogue; for one thread. Close it, or use it in `with`.

    `summary` makes one number of a benchmark's launches, `floor` finds the floor of a comparison in
    the bytes of its file.
    """

    def __init__(
        self, folder: Folder, summary: Summary, floor: Floor = lambda data, origin: None
    ) -> None:
        self._folder, self._summary, self._floor = folder, summary, floor
        self._place = path_of_database(folder, "catalogue")
        self._base, self.is_in_memory = opened_database(self._place, _TABLES)

    def refresh(self, tell: Callable[[int, int], None] = lambda done, of: None) -> None:
        """Update the catalogue from the run files.

        `tell` is called with how many new ones are read, of how many.

        Where the disk is full or the catalogue turns out to be damaged, it is made in memory for
        this time. Raises `sqlite3.DatabaseError` where that fails too.
        """
        try:
            self._refresh(tell)
        except sqlite3.DatabaseError as error:
            self._rebuild(is_damaged=not isinstance(error, sqlite3.OperationalError), tell=tell)

    def _query(self, asked: str, values: tuple[object, ...], shape: type[_Rows]) -> _Rows:
        """The rows that a query finds. Where they are not of the types that were stored, the
        catalogue is made anew."""
        try:
            found = self._base.execute(asked, values).fetchall()
            return converted(found, shape, where=str(self._place), what="a catalogue")
        except (sqlite3.DatabaseError, InputError):
            if self.is_in_memory:
                raise
        self._rebuild(is_damaged=True)
        return self._query(asked, values, shape)

    def _rebuild(
        self, *, is_damaged: bool, tell: Callable[[int, int], None] = lambda done, of: None
    ) -> None:
        self._base.close()
        if is_damaged:
            remove(self._place)  # the next process makes it anew
        self._base, self.is_in_memory = database_with_tables(":memory:", _TABLES), True
        self._refresh(tell)

    def _refresh(self, tell: Callable[[int, int], None]) -> None:
        known = {run for (run,) in self._base.execute("SELECT run FROM runs")}
        there = self._folder.runs()
        new = [run for run in there if run not in known]
        gone = known.difference(there)
        if gone:
            with self._base:
                self._forget_runs(gone)
        for done in range(0, len(new), _BATCH):
            with self._base:  # one transaction: a process that is killed leaves no half of it
                for run in new[done : done + _BATCH]:
                    self._add(run)
            tell(min(done + _BATCH, len(new)), len(new))

    def runs(self) -> list[RunRow]:
        """All runs, the oldest first."""
        texts, numbers = ("host", "revision", "suite", "kind", "target"), ("time_s", *_COUNTS)
        nulls = {**dict.fromkeys(texts, "''"), **dict.fromkeys(numbers, "0")}
        names = ", ".join(
            f"coalesce({name}, {nulls[name]})" if name in nulls else name
            for name in RunRow.__struct_fields__
        )
        return self._query(f"SELECT {names} FROM runs ORDER BY run", (), list[RunRow])

    def names(self) -> list[SeriesName]:
        """All series, in the order of their names."""
        asked = "SELECT number, benchmark, metric, unit FROM series ORDER BY benchmark, metric"
        return self._query(asked, (), list[SeriesName])

    def points(self, series: int) -> list[Point]:
        """The points of one series, in the order in which their revisions were committed."""
        asked = (
            "SELECT r.run, p.time_s, r.host, r.suite, p.revision, p.side, p.value, p.low, p.high,"
            " p.launches FROM points p JOIN runs r ON r.number = p.run"
            " WHERE p.series = ? ORDER BY p.time_s, r.run, p.side"
        )
        return self._query(asked, (series,), list[Point])

    def series(self, benchmark: str, metric: str, unit: str) -> int | None:
        """The number of a series in the catalogue; None: it is not there."""
        asked = "SELECT number FROM series WHERE benchmark = ? AND metric = ? AND unit = ?"
        found = self._query(asked, (benchmark, metric, unit), list[tuple[int]])
        return found[0][0] if found else None

    def known_runs(self) -> set[str]:
        """The names of all runs in the catalogue, also of those whose files cannot be read."""
        return {run for (run,) in self._query("SELECT run FROM runs", (), list[tuple[str]])}

    def conditions(self) -> list[Conditions]:
        """Kernel, governor, steal, load and so on of every run, the oldest first."""
        asked = (
            "SELECT r.run, r.time_s, r.host, c.kernel, c.governor, c.virtualisation, c.steal,"
            " c.most_steal, c.load, c.failures, c.spread, c.floor"
            " FROM conditions c JOIN runs r ON r.number = c.run ORDER BY r.run"
        )
        return self._query(asked, (), list[Conditions])

    def notes(self) -> list[Note]:
        """The notes of all runs: what was remarkable or not available while each was measured."""
        asked = "SELECT r.run, n.text FROM notes n JOIN runs r ON r.number = n.run ORDER BY r.run"
        return self._query(asked, (), list[Note])

    def crashes(self) -> list[Crashes]:
        """What `assay index --crash` counted, the oldest first."""
        asked = (
            "SELECT r.run, r.time_s, r.host, s.benchmark, s.metric, p.value FROM series s"
            " JOIN points p ON p.series = s.number JOIN runs r ON r.number = p.run"
            " WHERE r.kind = ? ORDER BY r.run, s.benchmark, s.metric"
        )
        rows = self._query(asked, (Lab.CRASH.value,), list[_CrashCount])
        found: dict[tuple[str, str], Crashes] = {}
        for run, time_s, host, benchmark, metric, value in rows:
            plugin = benchmark.removeprefix(_CRASH).removesuffix(_REOPEN)
            made = found.setdefault((run, benchmark), Crashes(run, time_s, host, plugin, {}))
            made.values[metric] = value
        return list(found.values())

    def series_of_run(self, run: str) -> list[SeriesName]:
        """The series that a run has a value of."""
        asked = (
            "SELECT DISTINCT s.number, s.benchmark, s.metric, s.unit FROM points p"
            " JOIN series s ON s.number = p.series"
            " WHERE p.run = (SELECT number FROM runs WHERE run = ?)"
        )
        return self._query(asked, (run,), list[SeriesName])

    def close(self) -> None:
        """Close the database."""
        self._base.close()

    def __enter__(self) -> "Catalogue":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _forget_runs(self, gone: set[str]) -> None:
        for run in gone:
            found = "(SELECT number FROM runs WHERE run = ?)"
            for table in ("points", "conditions", "notes"):
                self._base.execute(f"DELETE FROM {table} WHERE run = {found}", (run,))
            self._base.execute("DELETE FROM runs WHERE run = ?", (run,))

    def _add(self, run: str) -> None:
        """Add one run. Where its file cannot be read, the catalogue notes why."""
        from assay.record.store.run_file import decode_rows

        try:
            data = self._folder.read(run)
            rows = decode_rows(data, str(self._folder.file_of(run)))
        except InputError as error:
            self._base.execute(
                "INSERT OR IGNORE INTO runs (run, problem) VALUES (?, ?)", (run, str(error))
            )
            return
        number = self._insert_run(run, rows, len(data))
        if number is not None:
            spreads = self._insert_points(number, rows)
            is_paired = rows.header.kind != "run" and rows.facts.design == "interleaved"
            floor = self._floor(data, str(self._folder.file_of(run))) if is_paired else None
            self._insert_conditions(number, rows, spreads, floor)

    def _insert_run(self, run: str, rows: "Rows", size: int) -> int | None:
        """Add a run; return its number, or None if another process has added it meanwhile."""
        head = rows.header
        values = (
            *(run, "", head.time_s, head.host, head.revision, head.suite, head.kind, head.target),
            *(len(set(rows.benchmark)), len(rows.value), size),
        )
        done = self._base.execute(
            "INSERT OR IGNORE INTO runs (run, problem, time_s, host, revision, suite, kind, target,"
            " benchmarks, samples, bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            values,
        )
        return done.lastrowid if done.rowcount else None

    def _insert_conditions(
        self, number: int, rows: "Rows", spreads: list[float], floor: float | None
    ) -> None:
        host = rows.facts.host
        words = (host.kernel or "", host.governor or "", host.virtualisation or "")
        steal, load = _finite(rows.steal), _finite(rows.load)
        self._base.execute(
            "INSERT OR REPLACE INTO conditions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(number, *words, _mean(steal), max(steal, default=None), _mean(load)),
                *(rows.failures, median(spreads) if spreads else None, floor),
            ),
        )
        said = [*rows.facts.notes, *rows.facts.unavailable]
        self._base.executemany(
            "INSERT OR IGNORE INTO notes VALUES (?, ?)",
            [(number, text[:_LONGEST_NOTE]) for text in said[:_MOST_NOTES]],
        )

    def _insert_points(self, number: int, rows: "Rows") -> list[float]:
        """Add a run's points; return half the relative interquartile range of its times."""
        spreads = []
        head = rows.header
        for key, launches in _launches(rows).items():
            benchmark, metric, unit, side = key
            scale = TIME_UNITS_NS.get(unit, 1.0)
            value, low, high, count = self._summary(launches, metric)
            if not math.isfinite(value + low + high):
                continue  # infinite or no numbers: they cannot be part of a history
            if unit in TIME_UNITS_NS and value > 0 and count > 1:
                spreads.append((high - low) / 2 / value)
            self._base.execute(
                "INSERT OR REPLACE INTO points VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    self._series(benchmark, metric, "ns" if unit in TIME_UNITS_NS else unit),
                    *(number, side, head.revisions.get(side, head.revision)),
                    head.committed_s.get(side, head.time_s),
                    *(value * scale, low * scale, high * scale, count),
                ),
            )
        return spreads

    def _series(self, benchmark: str, metric: str, unit: str) -> int:
        self._base.execute(
            "INSERT OR IGNORE INTO series (benchmark, metric, unit) VALUES (?, ?, ?)",
            (benchmark, metric, unit),
        )
        asked = "SELECT number FROM series WHERE benchmark = ? AND metric = ? AND unit = ?"
        return int(self._base.execute(asked, (benchmark, metric, unit)).fetchone()[0])


_BATCH = 50  # how many runs are added in one transaction
# How many notes of a run are kept, and how many characters of each.
_MOST_NOTES, _LONGEST_NOTE = 50, 500
_LARGEST = 1e12  # steal or load above this is nonsense that a stranger's file holds
_COUNTS = ("benchmarks", "samples", "bytes")  # columns of `runs` that hold counts


def _mean(some: Sequence[float]) -> float | None:
    return sum(some) / len(some) if some else None


def _finite(some: Sequence[float | None]) -> list[float]:
    """The values that are known and plausible (below 10^12)."""
    return [one for one in some if one is not None and abs(one) < _LARGEST]


def _launches(rows: "Rows") -> dict[tuple[str, str, str, str], list[Any]]:
    """The values of each launch, by benchmark, metric, unit and side."""
    found: dict[tuple[str, str, str, str], list[Any]] = {}
    entries = zip(
        rows.benchmark, rows.metric, rows.unit, rows.side, rows.condition, rows.ends, strict=True
    )
    start = 0
    for benchmark, metric, unit, side, condition, end in entries:
        name = f"{benchmark} [{condition}]" if condition else benchmark
        found.setdefault((name, metric, unit, side or ""), []).append(rows.value[start:end])
        start = end
    return found
