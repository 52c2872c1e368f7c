"""Files written whole: whoever reads one finds the old content or the new, never a part.

    write_whole(b"...", Path("run.json"))

The bytes go to a new file beside the place, which is synced to the disk and renamed over it;
then the folder is synced too. When this returns, a power failure no longer loses them.
"""

import errno
import os
from contextlib import suppress
from pathlib import Path

from assay.errors import InputError


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
    beside = path.with_name(f".assay-{os.urandom(8).hex()}")
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:  # an interrupt too leaves nothing behind
        beside.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)
