"""Files that programs write for us, in one folder that is removed when we end.

    with scratch_file() as path:
        ...  # `path` is free, and nobody else's

Removing a folder takes about 3 ms on an ext4 disk, so launches share one. Names
are of one length, for a program's arguments lie on its stack.
"""

import atexit
import contextlib
import functools
import shutil
import tempfile
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path

_numbers = count()
_lock = threading.Lock()


@contextlib.contextmanager
def scratch_file() -> Iterator[Path]:
    """A path for one file, which is removed afterwards. Any thread may ask for one."""
    path = _folder() / f"{next(_numbers):010}.json"
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


def _folder() -> Path:
    with _lock:  # two threads may ask for their first at once
        return _made()


@functools.cache
def _made() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="assay-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
