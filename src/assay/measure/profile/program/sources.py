"""The text of the user's source, where it can still be found.

found = read_source("src/log.cpp", binary="build/bench")
found.lines[52]     '  std::memcpy(copy, data, size);'
"""

from pathlib import Path

import msgspec

from assay.errors import InputError
from assay.small_files import read_small

_LARGEST = 4_000_000  # bytes of a source file, at most
_LONGEST_LINE = 400  # characters kept of each line of a source file


class SourceText(msgspec.Struct, frozen=True):
    """The lines of a source file, the first at index 0.

    `why` says why there are none, or that the file was changed after it was compiled.
    """

    lines: tuple[str, ...] = ()
    why: str = ""


def read_source(file: str, binary: str) -> SourceText:
    """The lines of a source file that debug information names, where the compiler found it."""
    path = Path(file)
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST:
            return SourceText(why="its text is not there any more" if file else "not known")
        newer = path.stat().st_mtime > Path(binary).stat().st_mtime
        text = read_small(path, _LARGEST).decode(errors="replace")
    except InputError as error:
        return SourceText(why=f"its text cannot be read ({error.what})")
    except OSError as error:
        return SourceText(why=f"its text cannot be read ({error.strerror})")
    lines = tuple(line[:_LONGEST_LINE] for line in text.split("\n"))
    return SourceText(lines, "it was changed after it was compiled" if newer else "")
