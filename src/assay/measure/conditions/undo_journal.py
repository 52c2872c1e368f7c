"""What is still to be undone: the next start undoes what a killed run changed.

    with UndoJournal(folder) as undo_journal:
        mark = undo_journal.mark()
        undo_journal.register(Command("auditctl -e 0"))  # written before the change is made
        ...
        undo_journal.roll_back(mark)                      # undone, last change first
    settle_abandoned(folder)                    # at the next start: what a killed run left

One file a run, locked for as long as the run lives: the kernel drops the lock of a
killed one, and only then may another run undo its steps. A file is believed only if
it is ours and nobody else can write it, for its lines are run as commands. Why:
docs/decisions/0020-undo-journal.md.
"""

import contextlib
import fcntl
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec

from assay.errors import InputError, MeasurementError
from assay.interrupts import held_back
from assay.measure.conditions.undo import Step, describe, survives_a_boot, undo
from assay.small_files import MB, read_open
from assay.typed_json import decoded

_LARGEST = 16 * MB


class _Line(msgspec.Struct, frozen=True):
    """A step to be undone; or, without a step, that step `number` no longer is."""

    number: int
    boot: str = ""
    step: Step | None = None


class UndoJournal:
    """How to undo what one run changed. A context manager: leaving it rolls back everything."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / f"{os.getpid()}-{secrets.token_hex(6)}.undo"
        self._pending: dict[int, Step] = {}
        self._count = 0
        self.failed: list[str] = []  # what could not be undone, in words
        try:
            self._file = _created(self._path)
        except OSError as error:
            raise MeasurementError(
                f"cannot be written: {error.strerror}",
                where=str(folder),
                hint="what a condition changes must be written down first; set XDG_STATE_HOME",
            ) from None

    def register(self, step: Step) -> None:
        """Write down how to undo what comes next."""
        try:
            self._write(_Line(self._count, boot_id(), step))
        except OSError as error:
            raise MeasurementError(
                f"cannot be written: {error.strerror}", where=str(self._path)
            ) from None
        except UnicodeEncodeError:
            raise MeasurementError(
                "a path or variable is no UTF-8, and cannot be written down to be undone",
                where=describe(step),
                hint="set TMPDIR to a folder with another name",
            ) from None
        self._pending[self._count] = step
        self._count += 1

    def mark(self) -> int:
        """Where to undo back to."""
        return self._count

    def roll_back(self, mark: int = 0) -> None:
        """Undo everything registered since `mark`, last first. A signal waits until it is done.

        What cannot be undone stays written down, for the next start to try again.
        """
        with held_back():
            for number in sorted((n for n in self._pending if n >= mark), reverse=True):
                step = self._pending.pop(number)
                try:
                    undo(step)
                except MeasurementError as error:
                    self.failed.append(error.message)
                else:
                    with contextlib.suppress(OSError):  # undoing twice is harmless
                        self._write(_Line(number))

    def __enter__(self) -> "UndoJournal":
        return self

    def __exit__(self, *_: object) -> None:
        with held_back():
            self.roll_back()
            if not self.failed:
                _forget(self._path)
            self._file.close()

    def _write(self, line: _Line) -> None:
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()


def settle_abandoned(folder: Path) -> list[str]:
    """Undo what runs that were killed left behind; says what was done. Never raises for a step."""
    told: list[str] = []
    for path in sorted(folder.glob("*.undo")):
        try:
            with contextlib.suppress(OSError), _adopted(path) as file:
                data = read_open(file, _LARGEST, str(path))
                told += [line for step in _pending(data) for line in _settled(step)]
                _forget(path)
        except InputError as error:
            told.append(error.message)
    with contextlib.suppress(OSError):
        folder.rmdir()
    return told


def _settled(step: Step) -> Iterator[str]:
    try:
        undo(step)
    except MeasurementError as error:
        yield f"could not undo what a killed run left behind, do it by hand: {describe(step)}"
        yield error.message
    else:
        yield f"undone, left behind by a killed run: {describe(step)}"


def _pending(data: bytes) -> list[Step]:
    """Pending steps, last first. A last line cut short is of a change never made."""
    pending: dict[int, Step] = {}
    for text in data.split(b"\n")[:-1]:
        try:
            line = decoded(text, _Line, where="", what="a step")
        except InputError:
            continue  # damaged: the other steps are still to be undone
        if line.step is None:
            pending.pop(line.number, None)
        elif line.boot == boot_id() or survives_a_boot(line.step):
            pending[line.number] = line.step
    return [pending[number] for number in sorted(pending, reverse=True)]


def _created(path: Path) -> IO[bytes]:
    """A new file, locked before anybody else can take it for abandoned."""
    while True:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Another run may have removed the empty folder just now.
        with contextlib.suppress(FileNotFoundError):
            descriptor = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC, 0o600)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if _is_still(path, descriptor):
                return os.fdopen(descriptor, "wb")
            os.close(descriptor)  # another run removed it before it was locked


@contextmanager
def _adopted(path: Path) -> Iterator[IO[bytes]]:
    """The file, locked. Raises `OSError` when its run lives, or others could write it."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise PermissionError(path)  # a pipe is opened without waiting, and believed by nobody
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for status in (os.fstat(descriptor), path.parent.stat()):
            if status.st_uid != os.geteuid() or status.st_mode & 0o022:
                raise PermissionError(path)
        if not _is_still(path, descriptor):
            raise FileNotFoundError(path)  # another run undid its steps meanwhile
        yield file


def _is_still(path: Path, descriptor: int) -> bool:
    try:
        return path.stat().st_ino == os.fstat(descriptor).st_ino
    except FileNotFoundError:
        return False


def _forget(path: Path) -> None:
    path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        path.parent.rmdir()  # so that the next start finds out with one look


def boot_id() -> str:
    """Changes with every boot; empty where the kernel does not tell."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""
