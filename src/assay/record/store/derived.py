"""SQLite files that are made of the runs of a store, and may be deleted at any time.

    place = path_of_database(folder, "catalogue")
    tables = Tables(version=1, names=("runs",), sql="CREATE ...;")
    base, is_in_memory = opened_database(place, tables)

They lie in the store; where that cannot be written, or something else has their name, in the
user's cache; else in memory, for this time. One that is damaged, or was made by another version,
is made anew, empty (decision 36).
"""

import hashlib
import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from assay.errors import InputError
from assay.places import cache_folder
from assay.record.store.folder import SQLITE_ENDS, Folder
from assay.record.store.kinds import is_odd

_WAIT_S = 60.0  # seconds to wait while another process writes to the database


class Tables(msgspec.Struct, frozen=True):
    """The SQL tables of a file that can be made again from the runs, and their version."""

    version: int
    names: tuple[str, ...]  # tables that are dropped where the file has another version
    sql: str


def path_of_database(folder: Folder, name: str) -> Path | None:
    """Where the database `name` of a store lies: in the store, or in the user's cache; None:
    neither can be used."""
    place = folder.root / f"{name}.sqlite"
    if _is_free(place) and _can_be_written(folder.root):
        return place
    of_store = hashlib.sha256(os.fsencode(folder.root.resolve())).hexdigest()[:16]
    try:
        place = cache_folder() / f"{name}s" / f"{of_store}.sqlite"
        place.parent.mkdir(parents=True, exist_ok=True)
    except (OSError, InputError):
        return None
    return place if _is_free(place) else None


def _is_free(place: Path) -> bool:
    """Whether SQLite would open only regular files here: it would follow a link, and wait for a
    pipe for ever."""
    return not any(is_odd(place.with_name(f"{place.name}{end}")) for end in SQLITE_ENDS)


def _can_be_written(root: Path) -> bool:
    """Whether the kernel permits writing in the store. (Writing a file to try it left that file
    after a kill.)"""
    return os.access(root, os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids)


class OpenDatabase(NamedTuple):
    """An open SQLite database: the one in a file, or one in memory in its place."""

    base: sqlite3.Connection
    is_in_memory: bool


def opened_database(place: Path | None, tables: Tables) -> OpenDatabase:
    """The database at `place` with tables of this version, in memory where the file cannot be used.

    A file that is damaged is removed and made anew.
    """
    for _ in range(2 if place else 0):
        try:
            return OpenDatabase(database_with_tables(place or "", tables), is_in_memory=False)
        # The file is not readable, the disk is full, or another process writes.
        except sqlite3.OperationalError:
            break
        except sqlite3.DatabaseError:  # the file is not SQLite's, or damaged
            remove(place)
    return OpenDatabase(database_with_tables(":memory:", tables), is_in_memory=True)


def remove(place: Path | None) -> None:
    """Remove a damaged file, so that the next process makes it anew; it stays where that fails."""
    if place:
        with suppress(OSError):
            place.unlink()


def database_with_tables(place: Path | str, tables: Tables) -> sqlite3.Connection:
    """A connection to `place`, which may be ":memory:", with tables of this version.

    Raises `sqlite3.OperationalError` where it cannot be opened or written, and another
    `sqlite3.DatabaseError` where it is damaged.
    """
    base = sqlite3.connect(place, timeout=_WAIT_S)
    base.execute("PRAGMA trusted_schema = OFF")  # a stranger may have made it
    if _version_of_tables(base) != tables.version:
        with base:
            base.execute("BEGIN IMMEDIATE")  # two processes must not both make the tables
            _make_tables(base, tables)
    return base


def _version_of_tables(base: sqlite3.Connection) -> int:
    return int(base.execute("PRAGMA user_version").fetchone()[0])


def _make_tables(base: sqlite3.Connection, tables: Tables) -> None:
    """Make the tables, unless another process has done it meanwhile."""
    if _version_of_tables(base) == tables.version:
        return  # another process has made the tables
    for table in tables.names:
        base.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in tables.sql.split(";")[:-1]:
        base.execute(statement)
    base.execute(f"PRAGMA user_version = {tables.version}")
