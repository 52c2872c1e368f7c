"""A file of changes still to be undone, so that the next start can undo those of a killed run.

    with UndoJournal(folder) as undo_journal:
        mark = undo_journal.number_of_steps()
        undo_journal.register(Command("auditctl -e 0"))  # written before the change is made
        ...
        undo_journal.roll_back(mark)                      # undone, last change first
    settle_abandoned(folder)                    # at the next start: what a killed run left

There is one file for each run, locked while the run lives. The kernel drops the lock when a run is
killed, and only then may another run undo its steps. A file is trusted only if it is ours and
nobody else can write it, because its lines are run as commands. Why:
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
from assay.interrupts import signals_held_back
from assay.measure.conditions.undo import (
    Step,
    carry_out_undo_step,
    describe_undo_step,
    survives_a_boot,
)
from assay.small_files import MB, read_open
from assay.typed_json import decoded

_LARGEST = 16 * MB  # bytes of a file of undo steps, at most


class _Line(msgspec.Struct, frozen=True):
    """One line of the file: a step to undo or, without a step, that step `number` was undone."""

    number: int
    boot: str = ""  # id of the boot in which the change was made
    step: Step | None = None


class UndoJournal:
    """The undo steps of one run, also kept in a file. A context manager: leaving it undoes all
    changes."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / f"{os.getpid()}-{secrets.token_hex(6)}.undo"
        self._pending: dict[int, Step] = {}
        self._count = 0
        self.failed: list[str] = []  # what could not be undone, as messages for the user
        try:
            self._file = _new_locked_file(self._path)
        except OSError as error:
            raise MeasurementError(
                f"cannot be written: {error.strerror}",
                where=str(folder),
                hint="what a condition changes must be written down first; set XDG_STATE_HOME",
            ) from None

    def register(self, step: Step) -> None:
        """Write down how to undo the change that is about to be made."""
        try:
            self._write(_Line(self._count, boot_id(), step))
        except OSError as error:
            raise MeasurementError(
                f"cannot be written: {error.strerror}", where=str(self._path)
            ) from None
        except UnicodeEncodeError:
            raise MeasurementError(
                "a path or variable is no UTF-8, and cannot be written down to be undone",
                where=describe_undo_step(step),
                hint="set TMPDIR to a folder with another name",
            ) from None
        self._pending[self._count] = step
        self._count += 1

    def number_of_steps(self) -> int:
        """The number of steps registered so far, for a later `roll_back` to here."""
        return self._count

    def roll_back(self, mark: int = 0) -> None:
        """Undo every step registered since `mark`, last one first. Signals wait until this is done.

        A step that fails stays in the file, and the next start tries it again.
        """
        with signals_held_back():
            for number in sorted((n for n in self._pending if n >= mark), reverse=True):
                step = self._pending.pop(number)
                try:
                    carry_out_undo_step(step)
                except MeasurementError as error:
                    self.failed.append(error.message)
                else:
                    # Without this line the next start undoes the step again, which is harmless.
                    with contextlib.suppress(OSError):
                        self._write(_Line(number))

    def __enter__(self) -> "UndoJournal":
        return self

    def __exit__(self, *_: object) -> None:
        with signals_held_back():
            self.roll_back()
            if not self.failed:
                _remove_journal(self._path)
            self._file.close()

    def _write(self, line: _Line) -> None:
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()


def settle_abandoned(folder: Path) -> list[str]:
    """Undo the steps that killed runs left, and return what to tell the user. A step that fails
    raises no error."""
    told: list[str] = []
    for path in sorted(folder.glob("*.undo")):
        try:
            with contextlib.suppress(OSError), _lock_abandoned_file(path) as file:
                data = read_open(file, _LARGEST, str(path))
                told += [line for step in _pending_steps(data) for line in _undo_and_describe(step)]
                _remove_journal(path)
        except InputError as error:
            told.append(error.message)
    with contextlib.suppress(OSError):
        folder.rmdir()
    return told


def _undo_and_describe(step: Step) -> Iterator[str]:
    """Undo a step that a killed run left; yield what to tell the user."""
    try:
        carry_out_undo_step(step)
    except MeasurementError as error:
        by_hand = describe_undo_step(step)
        yield f"could not undo what a killed run left behind, do it by hand: {by_hand}"
        yield error.message
    else:
        yield f"undone, left behind by a killed run: {describe_undo_step(step)}"


def _pending_steps(data: bytes) -> list[Step]:
    """The steps still to be undone, the last one first. A last line cut short is ignored: its
    change was never made."""
    pending: dict[int, Step] = {}
    for text in data.split(b"\n")[:-1]:
        try:
            line = decoded(text, _Line, where="", what="a step")
        except InputError:
            continue  # a damaged line does not keep the others from being undone
        if line.step is None:
            pending.pop(line.number, None)
        elif line.boot == boot_id() or survives_a_boot(line.step):
            pending[line.number] = line.step
    return [pending[number] for number in sorted(pending, reverse=True)]


def _new_locked_file(path: Path) -> IO[bytes]:
    """A new file of undo steps, locked before another run can take it for a killed run's."""
    while True:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Another run may have removed the empty folder just now.
        with contextlib.suppress(FileNotFoundError):
            descriptor = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC, 0o600)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if _is_same_file(path, descriptor):
                return os.fdopen(descriptor, "wb")
            os.close(descriptor)  # another run removed it before it was locked


@contextmanager
def _lock_abandoned_file(path: Path) -> Iterator[IO[bytes]]:
    """The file of a killed run, locked. Raises `OSError` if the run still lives or others could
    write to it."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            # O_NONBLOCK above keeps a pipe from blocking. Only regular files are trusted.
            raise PermissionError(path)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for status in (os.fstat(descriptor), path.parent.stat()):
            if status.st_uid != os.geteuid() or status.st_mode & 0o022:
                raise PermissionError(path)
        if not _is_same_file(path, descriptor):
            # Another start of Assay has undone the steps in this file meanwhile, and removed it.
            raise FileNotFoundError(path)
        yield file


def _is_same_file(path: Path, descriptor: int) -> bool:
    try:
        return path.stat().st_ino == os.fstat(descriptor).st_ino
    except FileNotFoundError:
        return False


def _remove_journal(path: Path) -> None:
    path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        # Fails unless the folder is empty. Without it the next start sees at once that all is done.
        path.parent.rmdir()


def boot_id() -> str:
    """An id that changes with every boot; empty where the kernel does not tell it."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""
