"""What lies at a path of a store, which a stranger may have made: a folder, a file, or neither.

    is_folder(Path(".assay/runs"))
    is_odd(Path(".assay/labels/x"))     # a link, a pipe, a folder: no regular file

A symbolic link is never followed, for it may lead out of the store.
"""

import os
import stat
from pathlib import Path

from assay.small_files import kind_of


def is_folder(path: Path) -> bool:
    """Whether a folder is there, and not a link to one."""
    return stat.S_ISDIR(_mode_of(path))


def is_odd(path: Path, *, is_there: bool = False) -> bool:
    """Whether something else than a regular file is at the path; with `is_there`, nothing at all
    counts too."""
    mode = _mode_of(path)
    return is_there if not mode else bool(kind_of(mode))


def is_plain(path: Path) -> bool:
    """Whether a file, a folder or nothing is at the path, and not a link or a pipe."""
    return not is_odd(path) or is_folder(path)


def _mode_of(path: Path) -> int:
    """The mode of a file; 0: there is none, or it cannot be looked at."""
    try:
        return path.lstat().st_mode
    except OSError:
        return 0


def names_in(folder: Path) -> list[str]:
    """The names in a folder, in no order. Raises `OSError`."""
    return os.listdir(folder)  # noqa: PTH208 - ten times faster than `iterdir`
