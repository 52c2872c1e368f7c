"""Temporary files that programs write for Assay, in one folder of this process.

    with scratch_file() as path:
        ...                        # `path` is free, and no other process uses it
    with scratch_folder() as folder:
        ...                        # empty, and removed with all that is in it
    remove_own_folders()                   # at the end of this process
    remove_abandoned_folders()             # at the next start: files of runs that were killed

The folder is locked for as long as its process lives: the kernel drops the lock of a killed one,
and only then does another run of the same user remove the folder. Removing a folder takes about
3 ms on an ext4 disk, so launches share one. All names have the same length, because a program's
arguments lie on its stack and their length moves what lies there.
"""

import atexit
import contextlib
import fcntl
import os
import re
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from assay.errors import InputError
from assay.interrupts import signals_held_back

_PREFIX = "assay-scratch-"  # beginning of the name of every folder of temporary files
# Names of scratch folders by `tempfile.mkdtemp`, and of folders that `assay-crash` works in.
_OURS = re.compile(rf"{_PREFIX}[a-z0-9_]{{8}}|assay-crash-[A-Za-z0-9]{{6}}")
_OS_LAB = re.compile(r"assay-os-[A-Za-z0-9]{6}")  # folders that labs/os/harness/scratch.cpp makes
_SHARED_MEMORY = "/dev/shm"  # where the OS lab makes folders for files that are to be in memory
_numbers = count()
_lock = threading.Lock()
# By parent folder (None: the usual one), this process's scratch folder and its lock's descriptor.
_own: dict[Path | None, tuple[Path, int]] = {}


@contextlib.contextmanager
def scratch_file() -> Iterator[Path]:
    """A path for one temporary file, which no other process uses and which is removed afterwards;
    for any thread.

    Raises `InputError` where no temporary folder can be made, as does `scratch_folder`.
    """
    path = _folder(None) / f"{next(_numbers):010}.json"
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def scratch_folder(near: Path | None = None) -> Iterator[Path]:
    """An empty folder, removed afterwards; inside `near` where the disk that it is on matters.

    If an interrupt between two steps here leaves it, `remove_own_folders` removes it.
    """
    import shutil

    folder = _folder(near) / f"{next(_numbers):010}"
    folder.mkdir()
    try:
        yield folder
    finally:
        with signals_held_back():
            shutil.rmtree(folder, ignore_errors=True)


def remove_own_folders() -> None:
    """Remove the folder of this process, at its end: launches that still run would lose it."""
    with _lock:
        while _own:
            _, (folder, lock) = _own.popitem()
            _remove(folder)
            os.close(lock)


def remove_abandoned_folders() -> None:
    """Remove what killed runs of this user left; usually that takes a listing of one folder."""
    for parent in _temporary_folders():
        _remove_abandoned_in(parent)


def is_os_lab_abandoned() -> bool:
    """Whether a killed run of the OS lab left a folder. Only the lab can remove its semaphores."""
    parents = (_SHARED_MEMORY, *_temporary_folders())
    return any(
        _is_abandoned(Path(one)) for parent in parents for one in _matching_entries(parent, _OS_LAB)
    )


def _temporary_folders() -> tuple[str, ...]:
    """Where temporary folders usually lie. Importing `tempfile` would add 5 ms to every start."""
    named = (os.environ.get(one) for one in ("TMPDIR", "TEMP", "TMP"))
    return tuple(dict.fromkeys((*(one for one in named if one), "/tmp", "/var/tmp")))


def _matching_entries(parent: str | Path, pattern: re.Pattern[str]) -> list[str]:
    try:
        with os.scandir(parent) as entries:
            return [entry.path for entry in entries if pattern.fullmatch(entry.name)]
    except OSError:
        return []


def _is_abandoned(folder: Path) -> bool:
    """Whether no living process holds the folder's lock, and this user owns it."""
    try:
        lock = _locked_descriptor(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # the folder's process lives, or another run removes the folder too
        return False
    is_own = os.fstat(lock).st_uid == os.geteuid()
    os.close(lock)
    return is_own


def _remove_abandoned_in(parent: str | Path) -> None:
    for path in _matching_entries(parent, _OURS):
        _remove_if_abandoned(Path(path))


def _remove_if_abandoned(folder: Path) -> None:
    with contextlib.suppress(OSError):  # its process lives, or another run removes the folder too
        lock = _locked_descriptor(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            if os.fstat(lock).st_uid == os.geteuid():
                _remove(folder)
        finally:
            os.close(lock)


def _folder(near: Path | None) -> Path:
    with _lock:  # two threads may ask for their first folder at once
        if near not in _own or not _own[near][0].exists():  # another program may have removed it
            with signals_held_back():
                _own[near] = _new_folder(near)
            # A process that does not end through `outermost.run` removes them as it exits.
            atexit.register(remove_own_folders)
        return _own[near][0]


def _new_folder(near: Path | None) -> tuple[Path, int]:
    """A new scratch folder and the descriptor of its lock.

    It is made again if another run removes it before it is locked.
    """
    if near is not None:  # the usual temporary folders are cleaned at every start
        _remove_abandoned_in(near)
    import tempfile

    while True:
        try:
            folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=near))
            try:
                lock = _locked_descriptor(folder, fcntl.LOCK_EX)
            except FileNotFoundError:  # removed before it was locked
                continue
            except OSError:  # not locked and not used, it would stay until the next start
                with contextlib.suppress(OSError):
                    folder.rmdir()
                raise
        except OSError as error:
            raise InputError(
                f"no folder for temporary files can be made: {error.strerror}",
                where=str(error.filename or ""),
                hint="set TMPDIR to a folder with room, which you may write to",
            ) from None
        if folder.exists():
            return folder, lock
        os.close(lock)


def _locked_descriptor(folder: Path, how: int) -> int:
    """A descriptor of the folder that holds its lock. Raises `OSError` where the folder cannot be
    opened or locked."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, how)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _remove(folder: Path) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
