"""A summary of every series of a store, for pages: made when a run is stored.

    with Histories(folder) as histories:
        histories.keep({key: kept}, gone=[], runs={"20261123-..."})
        histories.all(); histories.runs()

It is made of the catalogue, which alone counts: missing, damaged or of another version, it is
empty, and whoever needs it makes it anew (`workflows.pages.survey`; decision 45).
"""

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import suppress

from assay.encoding import json_bytes
from assay.errors import InputError
from assay.record.store.derived import Tables, opened_database, path_of_database, remove
from assay.record.store.folder import Folder
from assay.survey import SeriesKey, SeriesSummary
from assay.typed_json import decoded

_SQL = """
CREATE TABLE histories (
    benchmark TEXT NOT NULL, metric TEXT NOT NULL, unit TEXT NOT NULL, host TEXT NOT NULL,
    kept BLOB NOT NULL,
    PRIMARY KEY (benchmark, metric, unit, host)) WITHOUT ROWID;
CREATE TABLE seen (run TEXT PRIMARY KEY) WITHOUT ROWID;
"""
_TABLES = Tables(version=1, names=("histories", "seen"), sql=_SQL)


class Histories:
    """The open SQLite file with a summary of each series; for one thread. Close it, or use it in
    `with`."""

    def __init__(self, folder: Folder) -> None:
        self._place = path_of_database(folder, "histories")
        self._base = opened_database(self._place, _TABLES).base

    def all(self) -> dict[SeriesKey, SeriesSummary]:
        """The summary of each series; none where the file is damaged, which is then made anew."""
        try:
            rows = self._base.execute("SELECT * FROM histories").fetchall()
            return {SeriesKey(*row[:4]): self._read(row[4]) for row in rows}
        except (sqlite3.DatabaseError, InputError, TypeError):
            self._remove_file()
            return {}

    def runs(self) -> set[str]:
        """The runs that the summaries were made from."""
        try:
            return {str(run) for (run,) in self._base.execute("SELECT run FROM seen")}
        except sqlite3.DatabaseError:
            self._remove_file()
            return set()

    def keep(
        self,
        made: Mapping[SeriesKey, SeriesSummary],
        gone: Iterable[SeriesKey],
        runs: Iterable[str],
    ) -> None:
        """Replace or remove summaries, and note the `runs` they were made of: all of it or nothing.

        Where the disk is full nothing is raised: they are made again at the next start.
        """
        with suppress(sqlite3.OperationalError), self._base:
            self._base.executemany(
                "DELETE FROM histories WHERE benchmark=? AND metric=? AND unit=? AND host=?", gone
            )
            self._base.executemany(
                "INSERT OR REPLACE INTO histories VALUES (?, ?, ?, ?, ?)",
                [(*key, json_bytes(kept)) for key, kept in made.items()],
            )
            self._base.execute("DELETE FROM seen")
            self._base.executemany("INSERT INTO seen VALUES (?)", [(run,) for run in runs])

    def _read(self, blob: bytes) -> SeriesSummary:
        return decoded(blob, SeriesSummary, where=str(self._place), what="what is kept of a series")

    def _remove_file(self) -> None:
        self._base.close()
        remove(self._place)
        self._base = opened_database(self._place, _TABLES).base

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def __enter__(self) -> "Histories":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
