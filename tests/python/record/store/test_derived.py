"""Where what is made of a store is kept."""

import sqlite3
from pathlib import Path

from assay.record.store.derived import Tables, opened_database, place_of
from assay.record.store.store import Store


def test_asking_for_a_place_makes_no_file(tmp_path: Path) -> None:
    """One that was made to see whether it can be was left behind by a kill at that moment."""
    folder = Store.opened_or_made(tmp_path / ".assay").folder
    before_ns = folder.root.stat().st_mtime_ns  # of the list of files in it
    assert place_of(folder, "catalogue") == folder.root / "catalogue.sqlite"
    assert folder.root.stat().st_mtime_ns == before_ns


def test_every_table_is_made_and_those_of_another_version_are_dropped() -> None:
    first = Tables(1, ("a", "b"), "CREATE TABLE a (x); CREATE TABLE b (y);")
    opened = opened_database(None, first)
    assert opened.is_in_memory
    assert columns(opened.base) == {"a": ["x"], "b": ["y"]}


def test_a_file_keeps_its_tables_until_another_version_comes(tmp_path: Path) -> None:
    place = tmp_path / "x.sqlite"
    first = Tables(1, ("a",), "CREATE TABLE a (x);")
    with opened_database(place, first).base as base:
        base.execute("INSERT INTO a VALUES (7)")
    again = opened_database(place, first)
    assert not again.is_in_memory
    assert again.base.execute("SELECT x FROM a").fetchall() == [(7,)]
    newer = opened_database(place, Tables(2, ("a",), "CREATE TABLE a (z);"))
    assert columns(newer.base) == {"a": ["z"]}


def test_a_damaged_file_is_made_anew(tmp_path: Path) -> None:
    place = tmp_path / "x.sqlite"
    place.write_bytes(b"no database, and long enough to be taken for one" * 40)
    opened = opened_database(place, Tables(1, ("a",), "CREATE TABLE a (x);"))
    assert not opened.is_in_memory
    assert columns(opened.base) == {"a": ["x"]}


def columns(base: sqlite3.Connection) -> dict[str, list[str]]:
    names = base.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return {
        name: [one[1] for one in base.execute(f"PRAGMA table_info({name})")] for (name,) in names
    }
