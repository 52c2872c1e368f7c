"""A record written line by line as results arrive, so that nothing is lost.

    with Journal(path, context, facts) as journal:
        journal.append(sample)
    parse_journal(path.read_bytes(), str(path))

Line 1 holds context and facts, every further line one row or one failure, or what the session
says of itself for whoever follows it (`journal_tail`): what it plans, that it has ended, where
its record is kept. A last line cut short by a crash is left out when reading; anything else
that is wrong is an error.

What is lost: nothing when the process is killed, for `append` returns when the kernel has the
line. By a power failure, the lines of at most one second: the file is synced to the disk with
the first line that comes a second or more after the last sync, and at the end. On a full disk
nothing is lost while the process lives: lines that do not fit wait in memory and are tried
again with every further line and at the end.
"""

import fcntl
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec

from assay.encoding import json_bytes
from assay.errors import InputError
from assay.facts import Facts
from assay.files import sync_folder
from assay.model import Failure, Record, Sample
from assay.planned import Planned
from assay.record.rows import row_from_sample
from assay.small_files import LARGEST_RESULTS, read_small
from assay.typed_json import decoded

_VERSION = 1
_ENDED = b'{"ended":true}\n'  # a process that is killed does not come to say so
_SYNC_EVERY_S = 1.0  # a sync takes milliseconds, and writes to the disk between two launches

Sync = Callable[[int], None]


class Journal:
    """An open journal; what was appended survives the end of the process."""

    def __init__(
        self,
        path: Path,
        context: dict[str, Any],
        facts: Facts,
        *,
        now_s: Callable[[], float] = time.monotonic,
        sync: Sync = os.fsync,
    ) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._start(path, path.open("wb", buffering=0), now_s, sync)
            self._head({"assay_journal": _VERSION, "context": context, "facts": facts.written})
        except OSError as error:
            raise InputError(
                f"cannot be written: {error.strerror}",
                where=str(path),
                hint="choose another place with -o",
            ) from None

    @classmethod
    def reopened(cls, path: Path) -> "Journal":
        """One that is there, to be continued; a last line cut short goes first."""
        journal = cls.__new__(cls)
        whole = read_small(path, LARGEST_RESULTS).rfind(b"\n") + 1
        try:
            journal._start(path, path.open("r+b", buffering=0), time.monotonic, os.fsync)
        except OSError as error:
            raise InputError(f"cannot be continued: {error.strerror}", where=str(path)) from None
        journal._file.truncate(whole)
        journal._file.seek(0, 2)
        return journal

    def append(self, item: Sample | Failure) -> None:
        """Add what one launch gave."""
        if isinstance(item, Sample):
            self._line({"row": row_from_sample(item, 0, 1)})
        else:
            self._line({"failure": msgspec.to_builtins(item)})

    def plan(self, planned: Planned) -> None:
        """Say what will be measured; what was said before holds no longer."""
        self._line({"planned": msgspec.to_builtins(planned)})

    def content(self) -> bytes:
        """All lines, those too that the disk had no room for."""
        return self.path.read_bytes() + self.unwritten

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self.unwritten += _ENDED
        self._try_to_write(is_last=True)
        self._file.close()

    def _start(self, path: Path, file: IO[bytes], now_s: Callable[[], float], sync: Sync) -> None:
        self.path, self._file = path, file
        with suppress(OSError):  # some network file systems have no locks
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # while held, nobody takes it over
        self._now_s, self._sync = now_s, sync
        self._synced_s = -_SYNC_EVERY_S  # never yet: the first line is synced
        self.unwritten = b""  # what the disk had no room for

    def _head(self, value: dict[str, Any]) -> None:
        """The first line. Raises `OSError`: better now than after measuring."""
        try:
            self.unwritten = json_bytes(value) + b"\n"
            self._write_out()
            sync_folder(self.path.parent)
        except OSError:
            self.path.unlink()  # it holds nothing
            raise

    def _line(self, value: dict[str, Any]) -> None:
        self.unwritten += json_bytes(value) + b"\n"
        self._try_to_write()

    def _try_to_write(self, *, is_last: bool = False) -> None:
        """A full disk ends no measuring: what is left in `unwritten` is tried again later."""
        try:
            self._write_out()
            if is_last or self._now_s() - self._synced_s >= _SYNC_EVERY_S:
                self._sync(self._file.fileno())
                self._synced_s = self._now_s()
        except OSError:
            return  # whoever keeps the record asks `holds` whether all of it arrived

    def _write_out(self) -> None:
        while self.unwritten:
            self.unwritten = self.unwritten[self._file.write(self.unwritten) :]


def holds(path: Path, record: Record) -> bool:
    """Whether the journal at `path` has every sample of `record`, and nothing cut short.

    A record may have failures that no journal has: what went wrong when all was measured.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError:
        return False
    rows = sum(line.startswith(b'{"row"') for line in lines[:-1])
    return rows >= len(record.samples) and not lines[-1]


def say_kept(path: Path, run: str) -> None:
    """As its last line, before its name goes: whoever follows it has it open and reads this."""
    with suppress(OSError), path.open("r+b", buffering=0) as file:
        file.seek(0, 2)
        file.write(json_bytes({"kept": run}) + b"\n")


def parse_journal(data: bytes, origin: str) -> Record:
    """The record a journal holds so far."""
    from assay.record.document import record_from

    head, *lines = data.split(b"\n")[:-1] or [b"{}"]
    first = entry(head, _Head, 1, origin)
    if first.assay_journal > _VERSION:
        what = f"is a journal of version {first.assay_journal}, this Assay reads up to {_VERSION}"
        raise InputError(what, where=origin, hint="read it with a newer Assay")
    entries = [entry(line, Entry, number, origin) for number, line in enumerate(lines, 2)]
    failures = [one.failure for one in entries if one.failure is not None]
    context = {**first.context, "assay": {**first.facts, "failures": failures}}
    rows = [one.row for one in entries if one.row is not None]
    return record_from({"context": context, "benchmarks": rows}, origin)


class _Head(msgspec.Struct):
    """The first line."""

    assay_journal: int = _VERSION
    context: dict[str, Any] = {}
    facts: dict[str, Any] = {}


class Entry(msgspec.Struct):
    """Any other line."""

    row: dict[str, Any] | None = None
    failure: dict[str, Any] | None = None
    planned: Planned | None = None
    ended: bool = False
    kept: str = ""  # the run that it became


_Line = TypeVar("_Line", _Head, Entry)


def entry(line: bytes, shape: type[_Line], number: int, origin: str) -> _Line:
    return decoded(line, shape, where=f"{origin}: line {number}", what="an entry of a journal")
