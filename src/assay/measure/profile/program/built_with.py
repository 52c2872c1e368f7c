"""With which compiler and flags an executable was built, as its debug information says.

    built_with("build/bench").flags         {"-O2", "-fno-inline", "-march=x86-64"}
    built_with("build/bench").has_symbols   False: it is stripped

GCC writes its flags after its name; Clang writes only its name. Flags that do not change the code
(paths, how much debug information) are left out.
"""

import mmap
import re
from pathlib import Path

import msgspec

from assay.errors import InputError
from assay.measure.profile.program.binary import Binary

# DW_AT_producer of GCC: its name and version, and its flags.
_PRODUCER = re.compile(rb"(GNU C(?:\+\+)?\d* \d[\w.]*) (-[ -~]{1,4000})\0")
_OF_NO_EFFECT = re.compile(  # flags that do not change the code
    r"-(?:g\w*|gdwarf.*|fdiagnostics.*|f(?:debug|file|macro|profile)-prefix-map=.*"
    r"|frandom-seed=.*|fpreprocessed|fdebug.*)"
)


class BuiltWith(msgspec.Struct, frozen=True):
    """The compiler and flags that an executable was built with; empty where it does not say."""

    compiler: str = ""
    flags: frozenset[str] = frozenset()
    has_symbols: bool = True


def built_with(path: str) -> BuiltWith:
    """The compiler and flags that a file was built with; empty for one that cannot be read. Raises
    nothing."""
    try:
        with Binary(path) as binary:
            return BuiltWith(binary.compiler(), _flags(path), binary.has_symbols)
    except (InputError, OSError, ValueError):
        return BuiltWith()


def _flags(path: str) -> frozenset[str]:
    """The compiler flags of all compilation units of a file."""
    with (
        Path(path).open("rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as all_,
    ):
        found = {one[2].decode() for one in _PRODUCER.finditer(all_)}
    return frozenset(flag for flags in found for flag in _separate_flags(flags))


def _separate_flags(flags: str) -> list[str]:
    """The flags one by one; a word without a dash is the argument of the flag before it."""
    words = list[str]()
    for word in flags.split():
        if word.startswith("-") or not words:
            words.append(word)
        else:
            words[-1] += f" {word}"
    return [word for word in words if not _OF_NO_EFFECT.fullmatch(word)]
