"""Files written whole: whoever reads one finds the old content or the new, never a part.

    write_whole(b"...", Path("run.json"))

The bytes go to a new file beside the place, which is synced to the disk and renamed over it;
then the folder is synced too. When this returns, a power failure no longer loses them. The file is
locked meanwhile: what a killed process left, the next one that writes there removes.
"""

import errno
import fcntl
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import IO

from assay.errors import InputError

_BESIDE = re.compile(r"\.assay-[0-9a-f]{16}")


def write_whole(data: bytes, path: Path) -> None:
    """Replace what is at `path` by `data`. Raises `InputError`; `path` is then as it was."""
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a pipe or a device: it is written to, never replaced
        else:
            _replace(data, Path(os.path.realpath(path)))  # a link stays one, to the new content
    except OSError as error:
        raise InputError(
            f"cannot be written: {error.strerror}", where=str(path), hint="choose another place"
        ) from None


def sync_folder(folder: Path) -> None:
    """Make names that were given in `folder` survive a power failure. Raises `OSError`."""
    with suppress(PermissionError):  # a folder one may write to and not read cannot be synced
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        except OSError as error:
            if error.errno != errno.EINVAL:  # file systems that cannot sync a folder say so
                raise
        finally:
            os.close(descriptor)


def _replace(data: bytes, path: Path) -> None:
    _remove_abandoned(path.parent)
    beside = path.with_name(f".assay-{os.urandom(8).hex()}")
    try:
        with beside.open("xb") as file:
            _lock(file, fcntl.LOCK_EX)
            if not beside.exists():  # another process took it for abandoned before it was locked
                _replace(data, path)
                return
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            beside.replace(path)
    except BaseException:  # an interrupt too leaves nothing behind
        beside.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def _remove_abandoned(folder: Path) -> None:
    """What processes that were killed were about to write. Those that live hold a lock."""
    with suppress(OSError), os.scandir(folder) as entries:
        for path in [Path(one.path) for one in entries if _BESIDE.fullmatch(one.name)]:
            with suppress(OSError), path.open("rb") as file:
                if _lock(file, fcntl.LOCK_EX | fcntl.LOCK_NB):
                    path.unlink(missing_ok=True)


def _lock(file: IO[bytes], how: int) -> bool:
    """Whether it is locked. Some network file systems have no locks: then nothing is removed."""
    try:
        fcntl.flock(file, how)
    except OSError:
        return False
    return True
