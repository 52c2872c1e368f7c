"""Reads files that anybody may have made: only regular files, and only up to a size.

    data = read_small(path, 4 * KB)         # raises `InputError`: no such file, too large, a pipe
    data = read_small_if_there(path, 4 * KB)     # None: there is none
    data = read_results(path)               # what the user named: up to 1 GB, pipes too

A store, a cache or a project may hold a pipe where a file should be, and opening one may wait for
ever; a `store.json` of 3 GB once took 3 GB of memory with every command. So every reader of a
file says how large it may be (`tests/python/test_reading.py` finds those that do not).
"""

import os
import stat
from pathlib import Path
from typing import IO

from assay.errors import InputError

KB, MB = 10**3, 10**6
LARGEST_RESULTS = 1_000 * MB  # bytes of a file of results, at most

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISLNK, "a symbolic link"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)


def kind_of(mode: int) -> str:
    """What a file's mode says it is, in words ("a pipe"); empty: a regular file."""
    if stat.S_ISREG(mode):
        return ""
    return next((word for is_one, word in _KINDS if is_one(mode)), "a device")


def read_small(path: Path, most: int, *, hint: str = "") -> bytes:
    """The content of a regular file of up to `most` bytes.

    Raises `InputError` where there is none, it is larger, or it cannot be read.
    """
    data = read_small_if_there(path, most, hint=hint)
    if data is None:
        raise InputError("no such file", where=str(path), hint=hint or "check the path")
    return data


def read_small_if_there(path: Path, most: int, *, hint: str = "") -> bytes | None:
    """The content of a regular file of up to `most` bytes; None where there is no such file."""
    try:
        with open_regular(path) as file:
            return read_open(file, most, str(path))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except InputError as error:
        raise InputError(error.what, where=error.where, hint=hint or error.hint) from None
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        raise InputError(what, where=str(path), hint=hint) from None


def read_results(path: Path) -> bytes:
    """The content of a file of results, up to 1 GB; the user who named it may name a pipe.

    Raises `InputError` where it cannot be read or is larger.
    """
    try:
        with path.open("rb", buffering=0) as file:
            return read_open(file, LARGEST_RESULTS, str(path))
    except FileNotFoundError:
        raise InputError("no such file", where=str(path), hint="check the path") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path)) from None


def open_regular(path: Path) -> IO[bytes]:
    """A regular file, opened. Raises `InputError` for anything else, `OSError` as `open` does.

    Its kind is checked before it is opened, because opening a device may have an effect, and
    after, because another process may have put something else there.
    """
    _refuse_irregular_file(path.stat().st_mode, path)
    quietly = os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    file = os.fdopen(os.open(path, os.O_RDONLY | quietly), "rb", buffering=0)
    try:
        _refuse_irregular_file(os.fstat(file.fileno()).st_mode, path)
    except InputError:
        file.close()
        raise
    return file


def read_open(file: IO[bytes], most: int, where: str) -> bytes:
    """The rest of an open file. Raises `InputError` if it is more than `most` bytes, or
    `OSError`."""
    room = min(os.fstat(file.fileno()).st_size, most) + 1  # the size of a pipe or in /proc is 0
    parts, left = [], most + 1
    while left > 0 and (part := file.read(min(left, max(room, _PART)))):
        parts.append(part)
        left -= len(part)
    if left <= 0:
        what = f"is larger than {most:,} bytes, the most that is read of such a file"
        raise InputError(what, where=where, hint="move it away, if it is not yours")
    return parts[0] if len(parts) == 1 else b"".join(parts)


_PART = 64 * 2**10  # least number of bytes asked for in one read


def _refuse_irregular_file(mode: int, path: Path) -> None:
    if kind := kind_of(mode):
        hint = "remove it, if it is not yours"
        raise InputError(f"is {kind}, where a file belongs", where=str(path), hint=hint)
