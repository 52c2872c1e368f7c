"""A record written line by line while it is measured, so that a kill loses nothing.

    with Journal(path, context, facts) as journal:
        journal.append(sample)
    parse_journal(path.read_bytes(), str(path))

Line 1 holds context and facts, every further line one row or one failure, or what the session
says of itself for whoever follows it (`journal_tail`): what it plans, that it has ended, where
its record is kept. A last line cut short by a crash is left out when reading; anything else
that is wrong is an error.

A kill loses nothing, for `append` returns when the kernel has the line. A power failure loses
the lines of one second at most: the file is synced to the disk with the first line that comes a
second or more after the last sync, and at the end. A full disk loses nothing while the process
lives: lines that do not fit wait in memory and are written with a later line or at the end.
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

_VERSION = 1  # of the format of journals
# Last line of a journal whose session ended; a session that is killed does not write it.
_ENDED = b'{"ended":true}\n'
_SYNC_EVERY_S = 1.0  # seconds: a sync takes milliseconds, and disturbs the disk between launches

Sync = Callable[[int], None]


class Journal:
    """An open journal; what was appended survives the end of the process.

    Opening it replaces what was at `path`. Raises `InputError` where it cannot be written.
    """

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
            self._write_head(
                {"assay_journal": _VERSION, "context": context, "facts": facts.written}
            )
        except OSError as error:
            raise InputError(
                f"cannot be written: {error.strerror}",
                where=str(path),
                hint="choose another place with -o",
            ) from None

    @classmethod
    def reopened(cls, path: Path) -> "Journal":
        """An existing journal, opened to be continued, without a last line that was cut short.

        Raises `InputError` where it cannot be read or written.
        """
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
        """Add the sample or failure of one launch. A full disk raises nothing: see `unwritten`."""
        if isinstance(item, Sample):
            self._add_line({"row": row_from_sample(item, 0, 1)})
        else:
            self._add_line({"failure": msgspec.to_builtins(item)})

    def plan(self, planned: Planned) -> None:
        """Add a line with what will be measured; it replaces an earlier plan."""
        self._add_line({"planned": msgspec.to_builtins(planned)})

    def content(self) -> bytes:
        """All lines of the journal, also those that the disk had no room for. Raises `OSError`."""
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
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # shows that the session lives
        self._now_s, self._sync = now_s, sync
        self._synced_s = -_SYNC_EVERY_S  # so that the first line is synced
        self.unwritten = b""  # lines that the disk had no room for yet

    def _write_head(self, value: dict[str, Any]) -> None:
        """Write the first line. Raises `OSError` where that fails, before anything is measured."""
        try:
            self.unwritten = json_bytes(value) + b"\n"
            self._write_out()
            sync_folder(self.path.parent)
        except OSError:
            self.path.unlink()  # the journal is still empty
            raise

    def _add_line(self, value: dict[str, Any]) -> None:
        self.unwritten += json_bytes(value) + b"\n"
        self._try_to_write()

    def _try_to_write(self, *, is_last: bool = False) -> None:
        """Write the lines that wait. A full disk does not end the measuring: the next line tries
        again."""
        try:
            self._write_out()
            if is_last or self._now_s() - self._synced_s >= _SYNC_EVERY_S:
                self._sync(self._file.fileno())
                self._synced_s = self._now_s()
        except OSError:
            return  # later `journal_holds_record` says whether the file has all lines

    def _write_out(self) -> None:
        while self.unwritten:
            self.unwritten = self.unwritten[self._file.write(self.unwritten) :]


def journal_holds_record(path: Path, record: Record) -> bool:
    """Whether the journal at `path` has every sample of `record`, and no line cut short.

    Failures are not compared: a record may have some from after the measuring, which no journal
    has.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError:
        return False
    rows = sum(line.startswith(b'{"row"') for line in lines[:-1])
    return rows >= len(record.samples) and not lines[-1]


def note_kept_run(path: Path, run: str) -> None:
    """Add a last line that names the stored run, before the journal is removed.

    Whoever follows the journal has it open and reads this. Where it cannot be written, nothing is
    raised.
    """
    with suppress(OSError), path.open("r+b", buffering=0) as file:
        file.seek(0, 2)
        file.write(json_bytes({"kept": run}) + b"\n")


def parse_journal(data: bytes, origin: str) -> Record:
    """The record that a journal holds so far; `origin` names it in messages.

    Raises `InputError` naming the line that is wrong, and for a journal of a newer version.
    """
    from assay.record.document import record_from

    head, *lines = data.split(b"\n")[:-1] or [b"{}"]
    first = decode_entry(head, _Head, 1, origin)
    if first.assay_journal > _VERSION:
        what = f"is a journal of version {first.assay_journal}, this Assay reads up to {_VERSION}"
        raise InputError(what, where=origin, hint="read it with a newer Assay")
    entries = [
        decode_entry(line, JournalEntry, number, origin) for number, line in enumerate(lines, 2)
    ]
    failures = [one.failure for one in entries if one.failure is not None]
    context = {**first.context, "assay": {**first.facts, "failures": failures}}
    rows = [one.row for one in entries if one.row is not None]
    return record_from({"context": context, "benchmarks": rows}, origin)


class _Head(msgspec.Struct):
    """The first line of a journal."""

    assay_journal: int = _VERSION
    context: dict[str, Any] = {}
    facts: dict[str, Any] = {}


class JournalEntry(msgspec.Struct):
    """Any line of a journal after the first; one of its fields is set."""

    row: dict[str, Any] | None = None
    failure: dict[str, Any] | None = None
    planned: Planned | None = None
    ended: bool = False
    kept: str = ""  # name of the stored run that the record became


_Line = TypeVar("_Line", _Head, JournalEntry)


def decode_entry(line: bytes, shape: type[_Line], number: int, origin: str) -> _Line:
    """A line of a journal, decoded. Raises `InputError` naming the line."""
    return decoded(line, shape, where=f"{origin}: line {number}", what="an entry of a journal")
