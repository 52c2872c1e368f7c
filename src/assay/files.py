"""Files written whole: whoever reads one finds the old content or the new, never a part.

    write_whole(b"...", Path("run.json"))
    write_all_new({Path("run.json"): b"..."})   # only what is not there yet; others stay

The bytes go to a new file beside the place, which is synced to the disk and renamed over it;
then the folder is synced too. When this returns, a power failure no longer loses them. The new file
is locked meanwhile; one that a killed process left has no lock, and the next writer removes it.
"""

import errno
import fcntl
import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

from assay.errors import InputError
from assay.small_files import open_regular

_WRITERS = 16  # threads that write and sync files at the same time
# Names of temporary files that are written first and then renamed to their place.
_BESIDE = re.compile(r"\.assay-[0-9a-f]{16}")


def write_whole(data: bytes, path: Path) -> None:
    """Replace what is at `path` by `data`. Raises `InputError`; `path` is then as it was."""
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a pipe or a device must not be replaced
        else:
            _replace(data, Path(os.path.realpath(path)))  # a link stays, and leads to the new file
    except OSError as error:
        raise _write_error(error, path) from None


def write_all_new(files: Mapping[Path, bytes]) -> list[Path]:
    """Write the files that are not there yet, and return their paths.

    Of several processes that write the same name at once, only one returns it as new. Many files
    are written at a time, because a disk syncs sixty-four in little more time than one. Raises
    `PartlyWrittenError` where one cannot be written, `InputError` where a folder cannot be synced.
    """
    from concurrent.futures import ThreadPoolExecutor

    folders = {path.parent for path in files}
    for folder in folders:
        remove_abandoned(folder)
    with ThreadPoolExecutor(_WRITERS) as pool:
        outcomes = list(pool.map(_write_new, files.values(), files))
    for folder in folders:
        try:
            sync_folder(folder)
        except OSError as error:
            raise _write_error(error, folder) from None
    new = [path for path, outcome in zip(files, outcomes, strict=True) if outcome is True]
    for outcome in outcomes:
        if isinstance(outcome, InputError):
            raise PartlyWrittenError(outcome, new)
    return new


class PartlyWrittenError(InputError):
    """One of many files could not be written; `written` are the paths of those that are safe."""

    def __init__(self, why: InputError, written: list[Path]) -> None:
        super().__init__(why.what, where=why.where, hint=why.hint)
        self.written = written


def _write_new(data: bytes, path: Path) -> bool | InputError:
    """Write one file: True where it is new, False where one of that name exists, or the error."""
    try:
        _place(data, path, _put_new)
    except FileExistsError:
        return False
    except OSError as error:
        return _write_error(error, path)
    return True


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that the names of new files survive a power failure. Raises `OSError`."""
    with suppress(PermissionError):  # a folder that one may write to but not read
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        except OSError as error:
            if error.errno != errno.EINVAL:  # file systems that cannot sync a folder say so
                raise
        finally:
            os.close(descriptor)


def _write_error(error: OSError, path: Path) -> InputError:
    what = f"cannot be written: {error.strerror}"
    return InputError(what, where=str(path), hint="choose another place")


def _put_new(beside: Path, path: Path) -> None:
    """Give the temporary file `beside` the name `path`. Raises `FileExistsError` where there is one
    of that name."""
    try:
        path.hardlink_to(beside)
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        beside.replace(path)  # FAT and some network file systems have no hard links
        return
    beside.unlink()


# Errors of file systems that have no hard links, or no more for this file.
_NO_HARD_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)


def _rename_over(beside: Path, path: Path) -> None:
    beside.replace(path)


def _replace(data: bytes, path: Path) -> None:
    remove_abandoned(path.parent)
    _place(data, path, _rename_over)
    sync_folder(path.parent)


def _place(data: bytes, path: Path, put: Callable[[Path, Path], None]) -> None:
    """Write a temporary file in the same folder, sync it, and give it the name `path` by calling
    `put`. The folder is not synced."""
    beside = path.with_name(f".assay-{os.urandom(8).hex()}")
    try:
        with beside.open("xb") as file:
            _lock(file, fcntl.LOCK_EX)
            if not beside.exists():  # another process removed the file before it was locked
                _place(data, path, put)
                return
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            put(beside, path)
    except BaseException:  # an interrupt too must leave nothing behind
        beside.unlink(missing_ok=True)
        raise


def remove_abandoned(folder: Path) -> None:
    """Remove temporary files that killed writers left; those of living writers are locked and
    stay."""
    with suppress(OSError), os.scandir(folder) as entries:
        ours = (one for one in entries if _BESIDE.fullmatch(one.name) and not one.is_symlink())
        for path in [Path(one.path) for one in ours]:
            with suppress(OSError, InputError), open_regular(path) as file:
                if _lock(file, fcntl.LOCK_EX | fcntl.LOCK_NB):
                    path.unlink(missing_ok=True)


def _lock(file: IO[bytes], how: int) -> bool:
    """Lock the file; return whether that succeeded. It never does on file systems without locks."""
    try:
        fcntl.flock(file, how)
    except OSError:
        return False
    return True
