"""The text of the user's source, where it can still be found.

found = read_source("src/log.cpp", binary="build/bench")
found.lines[52]     '  std::memcpy(copy, data, size);'
"""

from dataclasses import dataclass
from pathlib import Path

from assay.errors import InputError
from assay.small_files import read_small

_LARGEST = 4_000_000  # bytes
_LONGEST_LINE = 400  # characters of a line that are kept


@dataclass(frozen=True)
class SourceText:
    """The lines of a file, the first at 0. `why`: why there are none, or that they were changed."""

    lines: tuple[str, ...] = ()
    why: str = ""


def read_source(file: str, binary: str) -> SourceText:
    """Read a file named by debug information, from where the compiler found it."""
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
