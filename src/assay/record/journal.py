"""A record written line by line as results arrive, so that nothing is lost.

    with Journal(path, context, facts) as journal:
        journal.append(sample)
    parse_journal(path.read_bytes(), str(path))

Line 1 holds context and facts, every further line one row or one failure. A
last line cut short by a crash is left out when reading; anything else that is
wrong is an error.
"""

from pathlib import Path
from types import TracebackType
from typing import IO, Any

import msgspec

from assay.errors import InputError
from assay.model import Failure, Record, Sample
from assay.record.rows import row_from_sample

_VERSION = 1


class Journal:
    """An open journal; every append is on disk's way before it returns."""

    _file: IO[bytes]

    def __init__(self, path: Path, context: dict[str, Any], facts: dict[str, Any]) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("wb")
        except OSError as error:
            raise InputError(
                f"cannot be written: {error.strerror}",
                where=str(path),
                hint="choose another place with -o",
            ) from None
        self._line({"assay_journal": _VERSION, "context": context, "facts": facts})

    @classmethod
    def reopened(cls, path: Path) -> "Journal":
        """One that is there, to be continued; a last line cut short goes first."""
        journal = cls.__new__(cls)
        journal.path = path
        try:
            journal._file = path.open("r+b")
        except OSError as error:
            raise InputError(f"cannot be continued: {error.strerror}", where=str(path)) from None
        journal._file.truncate(path.read_bytes().rfind(b"\n") + 1)
        journal._file.seek(0, 2)
        return journal

    def append(self, item: Sample | Failure) -> None:
        """Add what one launch gave."""
        if isinstance(item, Sample):
            self._line({"row": row_from_sample(item, 0, 1)})
        else:
            self._line({"failure": msgspec.to_builtins(item)})

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def _line(self, value: dict[str, Any]) -> None:
        self._file.write(msgspec.json.encode(value) + b"\n")
        self._file.flush()


def parse_journal(data: bytes, origin: str) -> Record:
    """The record a journal holds so far."""
    from assay.record.reader import record_from

    lines = data.split(b"\n")
    entries = [_entry(line, i + 1, origin) for i, line in enumerate(lines[:-1])]
    facts = dict(entries[0].get("facts", {})) if entries else {}
    facts["failures"] = [e["failure"] for e in entries if "failure" in e]
    context = {**(entries[0].get("context", {}) if entries else {}), "assay": facts}
    rows = [e["row"] for e in entries if "row" in e]
    return record_from({"context": context, "benchmarks": rows}, origin)


def _entry(line: bytes, number: int, origin: str) -> dict[str, Any]:
    try:
        entry = msgspec.json.decode(line)
    except msgspec.DecodeError as error:
        raise InputError(f"line {number} is not JSON ({error})", where=origin) from None
    if not isinstance(entry, dict):
        raise InputError(f"line {number} is not a journal entry", where=origin)
    return entry
