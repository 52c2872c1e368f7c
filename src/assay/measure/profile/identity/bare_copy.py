"""A copy of a program whose debug information valgrind does not find.

    with bare_copy(program) as copy: ...    # `copy` lies beside the program, and is removed after

Valgrind 3.19 stops at debug information as clang 14 writes it, though for a trace it needs none.
Nothing that is loaded into memory differs in the copy: only names of sections do that the loader
never looks at. It lies beside the program, because programs look for libraries and files there.
"""

import fcntl
import os
import shutil
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assay.errors import InputError
from assay.small_files import open_regular

_HEADER = struct.Struct("<6s34xQ10xHHH")  # of an ELF file: its mark, and where its sections are
_ELF = b"\x7fELF\x02\x01"  # how a file of 64 bits and little-endian numbers begins
_PLACE, _SIZE = 24, 32  # bytes before the place and the size in the description of a section
_PREFIX = ".assay-bare-"
_RENAMED = ((b".debug_", b".unread"), (b".zdebug_", b".zunread"))  # of sections, as long as before


@contextmanager
def bare_copy(program: Path) -> Iterator[Path]:
    """The path of a copy, which exists for as long as the context does; those of killed processes
    are removed.

    Raises `InputError` for what is no program, `OSError` where no file can be made beside it.
    """
    _remove_abandoned(program.parent)
    descriptor, name = tempfile.mkstemp(prefix=_PREFIX, dir=program.parent)
    os.close(descriptor)  # a file that is open for writing cannot be executed
    copy = Path(name)
    try:
        with open_regular(copy) as kept:
            fcntl.flock(kept, fcntl.LOCK_SH)  # for as long as this process lives
            shutil.copy2(program, copy)
            _rename_sections(copy)
            yield copy
    finally:
        copy.unlink(missing_ok=True)


def _remove_abandoned(folder: Path) -> None:
    """Remove the copies in a folder that no living process has locked."""
    for path in folder.glob(f"{_PREFIX}*"):
        try:
            with open_regular(path) as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()
        except (OSError, InputError):
            continue  # it is used, or not ours to remove


def _rename_sections(path: Path) -> None:
    with path.open("r+b") as file:
        try:
            mark, table, size, count, index = _HEADER.unpack(file.read(_HEADER.size))
            if mark != _ELF or index >= count:
                raise InputError("is no executable whose sections have names", where=str(path))
            file.seek(table + index * size + _PLACE)
            place, length = struct.unpack("<QQ", file.read(_SIZE + 8 - _PLACE))
            file.seek(place)
            names = file.read(min(length, path.stat().st_size))
        except struct.error:
            raise InputError("is cut short", where=str(path)) from None
        for old, new in _RENAMED:
            names = names.replace(old, new)
        file.seek(place)
        file.write(names)
