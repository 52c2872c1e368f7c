"""A journal as it grows: what a session has measured so far, and what became of it.

    with JournalTail(path, most=64 * MB) as tail:
        tail.read()                    # True: there are new lines
        tail.planned, tail.data        # what is to come; all whole lines so far
        tail.is_held(), tail.is_over, tail.run

It only reads, and keeps the file open: the last line, which names the stored run, is written just
before the journal is removed.
"""

import fcntl
import os
from pathlib import Path

from assay.errors import InputError
from assay.planned import Planned
from assay.record.journal import JournalEntry, decode_entry
from assay.small_files import open_regular

# Beginnings of a journal's lines that are about the session and hold no measurement.
_TOLD = (b'{"planned"', b'{"ended"', b'{"kept"')
_PART = 1 << 20  # bytes read from a journal at a time


class JournalTail:
    """The journal of one session, up to `most` bytes of it.

    Its methods raise `InputError` for a file that is no journal or too large, and `OSError`.
    `data` is the journal without the lines that are no measurement, `rows` how many lines follow
    the first one.
    """

    def __init__(self, path: Path, most: int) -> None:
        self._path, self._most = path, most
        self._file = open_regular(path)
        self._rest, self._number = b"", 0  # half a line, and how many whole ones were read
        self.data = bytearray()
        self.rows = 0
        self.planned = Planned()
        self.is_over, self.run = False, ""

    def __enter__(self) -> "JournalTail":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def read(self) -> bool:
        """Read the lines that are new; return whether something was measured in them."""
        before = self.rows
        for line in self._new_lines().split(b"\n")[:-1]:
            self._number += 1
            if line.startswith(_TOLD):
                self._take_note(line)
            else:
                self.rows += bool(self.data)  # the first line has context and facts
                self.data += line + b"\n"
        return self.rows > before

    def is_held(self) -> bool:
        """Whether the session still runs, by its lock on the journal; True where locks do not
        work.

        The session takes its lock before it writes its first line. So before that line no lock
        is tried here: this process might get it instead.
        """
        if not self.data:
            return True
        try:
            fcntl.flock(self._file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
        fcntl.flock(self._file, fcntl.LOCK_UN)
        return False

    def is_named(self) -> bool:
        """Whether the journal's file still exists, and was not removed as its run was stored."""
        return os.fstat(self._file.fileno()).st_nlink > 0

    def _new_lines(self) -> bytes:
        while part := self._file.read(_PART):
            self._rest += part
            if len(self.data) + len(self._rest) > self._most:
                what = f"is larger than {self._most:,} bytes, the most that is followed"
                raise InputError(what, where=str(self._path))
        whole = self._rest.rfind(b"\n") + 1
        lines, self._rest = self._rest[:whole], self._rest[whole:]
        return lines

    def _take_note(self, line: bytes) -> None:
        """Take over what a line says about the session: its plan, its end, the name of its stored
        run."""
        said = decode_entry(line, JournalEntry, self._number, str(self._path))
        self.planned = said.planned or self.planned
        self.is_over = self.is_over or said.ended
        self.run = said.kept or self.run
