"""Where what is made of a store is kept."""

import hashlib
import os
import sqlite3
from pathlib import Path

import pytest

from assay.record.store import derived
from assay.record.store.derived import (
    Tables,
    database_with_tables,
    opened_database,
    path_of_database,
    remove,
)
from assay.record.store.store import Store


def test_asking_for_a_place_makes_no_file(tmp_path: Path) -> None:
    """One that was made to see whether it can be was left behind by a kill at that moment."""
    folder = Store.opened_or_made(tmp_path / ".assay").folder
    before_ns = folder.root.stat().st_mtime_ns  # of the list of files in it
    assert path_of_database(folder, "catalogue") == folder.root / "catalogue.sqlite"
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


ONE = Tables(1, ("a",), "CREATE TABLE a (x);")


@pytest.mark.parametrize("end", ["", "-journal", "-wal", "-shm"])
def test_where_something_else_has_its_name_the_users_cache_is_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = Store.opened_or_made(tmp_path / ".assay").folder
    (folder.root / f"catalogue.sqlite{end}").symlink_to("x")
    name = hashlib.sha256(os.fsencode(folder.root.resolve())).hexdigest()[:16]
    cached = tmp_path / "cache" / "assay" / "catalogues" / f"{name}.sqlite"
    assert path_of_database(folder, "catalogue") == cached
    assert cached.parent.is_dir()
    cached.mkdir()
    assert path_of_database(folder, "catalogue") is None


def test_a_store_that_cannot_be_written_has_its_files_in_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = Store.opened_or_made(tmp_path / ".assay").folder
    asked: list[int] = []

    def access(_root: Path, mode: int, **_: object) -> bool:
        asked.append(mode)
        return False

    monkeypatch.setattr(derived.os, "access", access)
    place = path_of_database(folder, "histories")
    assert place is not None
    assert place.parent == tmp_path / "cache" / "assay" / "historiess"
    assert asked == [os.W_OK | os.X_OK]
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert path_of_database(folder, "histories") is None


def test_a_file_that_cannot_be_opened_is_left_and_made_in_memory(tmp_path: Path) -> None:
    opened = opened_database(tmp_path / "none" / "x.sqlite", ONE)
    assert opened.is_in_memory
    assert columns(opened.base) == {"a": ["x"]}
    folder = tmp_path / "x.sqlite"
    folder.mkdir()
    assert opened_database(folder, ONE).is_in_memory
    assert folder.is_dir()


def test_a_file_that_stays_damaged_is_tried_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[object] = []
    made = database_with_tables

    def damaged(place: Path | str, tables: Tables) -> sqlite3.Connection:
        tried.append(place)
        if place != ":memory:":
            raise sqlite3.DatabaseError
        return made(place, tables)

    monkeypatch.setattr(derived, "database_with_tables", damaged)
    place = tmp_path / "x.sqlite"
    assert opened_database(place, ONE).is_in_memory
    assert tried == [place, place, ":memory:"]
    tried.clear()
    assert opened_database(None, ONE).is_in_memory
    assert tried == [":memory:"]


def test_what_cannot_be_removed_stays(tmp_path: Path) -> None:
    remove(tmp_path / "none")
    remove(None)
    remove(tmp_path)
    assert tmp_path.is_dir()
    (tmp_path / "x").touch()
    remove(tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_two_processes_do_not_both_make_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "x.sqlite"
    with database_with_tables(place, ONE) as base:
        base.execute("INSERT INTO a VALUES (7)")
    versions = iter([0, 1])  # it is made between the first look and the lock
    monkeypatch.setattr(derived, "_version_of_tables", lambda _: next(versions))
    assert database_with_tables(place, ONE).execute("SELECT x FROM a").fetchall() == [(7,)]
    assert derived._WAIT_S == 60.0
