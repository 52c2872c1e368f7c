"""The lock of a mirror: one process at a time works on it.

lock = MirrorLock(Path("cache/remotes/HASH.git"), "git:origin", print)     # waits for others
lock.hold()         # again, where its file was deleted meanwhile
lock.close()
"""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO

from assay.errors import InputError

_TRIES = 5  # of making the folder in a cache that is deleted meanwhile


class MirrorLock:
    """The lock of a mirror, which one process at a time has; the others say that they wait.

    It lies beside the mirror, so that who deletes the cache deletes it, too: then the next process
    gets another, and two of them work on one mirror. So it is asked for again, by its path, before
    a mirror is made.
    """

    def __init__(self, folder: Path, where: str, tell: Callable[[str], None]) -> None:
        self._path, self._where, self._tell = folder.with_suffix(".lock"), where, tell
        self._file: IO[bytes] | None = None
        self.hold()

    def hold(self) -> None:
        """Have the lock that lies there now. Raises `InputError` where it cannot be had."""
        tries = 0
        while self._file is None or not self._is_there(self._file):
            self.close()
            tries += 1
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._file = self._path.open("ab")
            except OSError as error:
                # A folder that was deleted just now is made again; others can never be made.
                if not isinstance(error, FileNotFoundError) or tries == _TRIES:
                    raise unusable_error(self._path.with_suffix(".git"), error) from None
                continue
            self._wait(self._file)

    def close(self) -> None:
        """Let other processes have it."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _wait(self, file: IO[bytes]) -> None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            what = f"waiting for another `assay runs push` or `pull` of {self._where} to end"
            self._tell(what)
            fcntl.flock(file, fcntl.LOCK_EX)

    def _is_there(self, file: IO[bytes]) -> bool:
        """Whether the lock's path still leads to this file."""
        try:
            return os.path.samestat(self._path.stat(), os.fstat(file.fileno()))
        except OSError:
            return False


def unusable_error(folder: Path, error: OSError) -> InputError:
    """The error for a folder of the cache that cannot be used."""
    what = f"cannot be used: {error.strerror}"
    return InputError(what, where=str(folder), hint="remove it, or set XDG_CACHE_HOME")
