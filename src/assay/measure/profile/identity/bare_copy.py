"""A copy of a program whose debug information valgrind does not find.

    with bare_copy(program) as copy: ...    # `copy` lies beside the program, and is removed after

Valgrind 3.19 stops at debug information as clang 14 writes it, though for a trace it needs none.
Nothing that is loaded into memory differs in the copy: only names of sections do that the loader
never looks at. It lies beside the program, because programs look for libraries and files there.
"""

import os
import shutil
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assay.errors import InputError

_HEADER = struct.Struct("<6s34xQ10xHHH")  # of an ELF file: its mark, and where its sections are
_ELF = b"\x7fELF\x02\x01"  # how a file of 64 bits and little-endian numbers begins
_PLACE, _SIZE = 24, 32  # bytes before the place and the size in the description of a section
_RENAMED = ((b".debug_", b".unread"), (b".zdebug_", b".zunread"))  # of sections, as long as before


@contextmanager
def bare_copy(program: Path) -> Iterator[Path]:
    """The path of a copy, which exists for as long as the context does.

    Raises `InputError` for what is no program, `OSError` where no file can be made beside it.
    """
    descriptor, name = tempfile.mkstemp(prefix=".assay-", dir=program.parent)
    os.close(descriptor)
    try:
        shutil.copy2(program, name)
        _rename_sections(Path(name))
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


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
