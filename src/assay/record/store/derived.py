"""Files of SQLite that are made of the runs of a store, and may be thrown away at any time.

    place = place_of(folder, "catalogue")
    base = opened(place, Tables(version=1, names=("runs",), sql="CREATE TABLE runs (...);"))

They lie in the store; where that cannot be written, in the user's cache. One that is damaged, or
was made by another version, is made anew and is then empty.
"""

import hashlib
import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from assay.errors import InputError
from assay.places import cache_folder
from assay.record.store.folder import Folder

_WAIT_S = 60.0  # for another process that writes


class Tables(NamedTuple):
    """What is in such a file."""

    version: int
    names: tuple[str, ...]  # of the tables: dropped where the file is of another version
    sql: str


def place_of(folder: Folder, name: str) -> Path:
    """In the store; where that cannot be written, in the user's cache."""
    place = folder.inside(f"{name}.sqlite")
    probe = folder.root / f".assay-probe-{os.getpid()}-{id(folder)}"
    try:
        probe.touch()
        probe.unlink()
    except OSError:
        of_store = hashlib.sha256(os.fsencode(folder.root.resolve())).hexdigest()[:16]
        place = cache_folder() / f"{name}s" / f"{of_store}.sqlite"
        place.parent.mkdir(parents=True, exist_ok=True)
    return place


def opened(place: Path, tables: Tables) -> sqlite3.Connection:
    """Open, with tables of this version. Raises `InputError`."""
    try:
        return with_tables(place, tables)
    except sqlite3.OperationalError as error:
        raise InputError(f"cannot be used: {error}", where=str(place)) from None
    except sqlite3.DatabaseError:  # not SQLite's, or damaged
        with suppress(OSError):
            place.unlink()
        return with_tables(place, tables)


def with_tables(place: Path | str, tables: Tables) -> sqlite3.Connection:
    """`place` may be ":memory:"."""
    base = sqlite3.connect(place, timeout=_WAIT_S)
    base.execute("PRAGMA trusted_schema = OFF")  # a stranger may have made it
    if _version(base) != tables.version:
        with base:
            base.execute("BEGIN IMMEDIATE")  # two processes must not both make the tables
            _make(base, tables)
    return base


def _version(base: sqlite3.Connection) -> int:
    return int(base.execute("PRAGMA user_version").fetchone()[0])


def _make(base: sqlite3.Connection, tables: Tables) -> None:
    if _version(base) == tables.version:
        return  # another process was quicker
    for table in tables.names:
        base.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in tables.sql.split(";")[:-1]:
        base.execute(statement)
    base.execute(f"PRAGMA user_version = {tables.version}")
