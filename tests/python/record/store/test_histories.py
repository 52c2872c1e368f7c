"""Summaries of series in SQLite: what is kept is read again, and what is damaged is made anew."""

import sqlite3
from pathlib import Path

import pytest

from assay.history import History, Now
from assay.record.store.folder import Folder
from assay.record.store.histories import Histories
from assay.survey import SeriesKey, SeriesSummary

KEYS = [SeriesKey(name, "real_time", "ns", "host") for name in "abc"]


def summary(fingerprint: str) -> SeriesSummary:
    history = History(
        runs=1,
        now=Now(level=1.0, low=None, high=None),
        segments=(),
        changes=(),
        false_candidates_a_year=0.05,
    )
    return SeriesSummary(
        fingerprint=fingerprint, history=history, line="▄", latest_s=1.0, ends=(), confirmations=()
    )


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder.opened_or_made(tmp_path / ".assay")


def test_what_is_kept_is_replaced_and_removed(folder: Folder) -> None:
    with Histories(folder) as histories:
        assert (histories.all(), histories.runs()) == ({}, set())
        histories.keep({key: summary("1") for key in KEYS[:2]}, [], ["r1", "r2"])
    with Histories(folder) as histories:
        assert histories.all() == {key: summary("1") for key in KEYS[:2]}
        assert histories.runs() == {"r1", "r2"}
        histories.keep({KEYS[1]: summary("2"), KEYS[2]: summary("3")}, [KEYS[0]], ["r2"])
        assert histories.all() == {KEYS[1]: summary("2"), KEYS[2]: summary("3")}
        assert histories.runs() == {"r2"}
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        histories._base.execute("SELECT 1")


def changed(folder: Folder, statement: str) -> None:
    with sqlite3.connect(folder.root / "histories.sqlite") as base:
        base.execute(statement)
    base.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE histories SET kept = x'7b7d'",
        "UPDATE histories SET kept = 7",
        "DROP TABLE histories",
    ],
)
def test_summaries_of_another_shape_are_forgotten(folder: Folder, statement: str) -> None:
    with Histories(folder) as histories:
        histories.keep({KEYS[0]: summary("1")}, [], ["r1"])
    changed(folder, statement)
    with Histories(folder) as histories:
        assert histories.all() == {}
        assert histories.runs() == set()
        histories.keep({KEYS[0]: summary("2")}, [], ["r2"])
        assert histories.all() == {KEYS[0]: summary("2")}


def test_runs_in_a_table_that_is_gone_are_forgotten_with_all(folder: Folder) -> None:
    with Histories(folder) as histories:
        histories.keep({KEYS[0]: summary("1")}, [], ["r1"])
    changed(folder, "DROP TABLE seen")
    with Histories(folder) as histories:
        assert histories.runs() == set()
        assert histories.all() == {}


def test_a_full_disk_keeps_all_as_it_was(folder: Folder) -> None:
    with Histories(folder) as histories:
        histories.keep({KEYS[0]: summary("1")}, [], ["r1"])
        (pages,) = histories._base.execute("PRAGMA page_count").fetchone()
        histories._base.execute(f"PRAGMA max_page_count = {pages}")
        many = {SeriesKey(f"{n:0300}", "m", "u", "h"): summary("2") for n in range(200)}
        histories.keep(many, KEYS[:1], ["r2"])
        assert histories.all() == {KEYS[0]: summary("1")}
        assert histories.runs() == {"r1"}
