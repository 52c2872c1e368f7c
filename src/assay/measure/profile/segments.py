"""Where a place in an executable's file lies when it runs: perf counts one, compilers the other.

Segments.of("build/bench").address(0x1234)

Linkers other than GNU's do not put code at the same number in both. A file that cannot be read
as 64-bit ELF changes nothing.
"""

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

_LOAD = 1
_MOST = 1000  # segments of a file: real ones have a dozen


class _Segment(NamedTuple):
    offset: int
    address: int
    size: int


@dataclass(frozen=True)
class Segments:
    """What of a file is loaded, and to where."""

    loaded: tuple[_Segment, ...] = ()

    @classmethod
    def of(cls, path: str) -> Self:
        try:
            with Path(path).open("rb") as file:
                head = file.read(64)
                if head[:6] != b"\x7fELF\x02\x01":
                    return cls()
                (start,) = struct.unpack_from("<Q", head, 32)
                size, count = struct.unpack_from("<HH", head, 54)
                file.seek(start)
                table = file.read(size * min(count, _MOST))
        except (OSError, struct.error, ValueError):
            return cls()
        return cls(tuple(_segments(table, size)))

    def address(self, offset: int) -> int:
        for one in self.loaded:
            if one.offset <= offset < one.offset + one.size:
                return offset - one.offset + one.address
        return offset


def _segments(table: bytes, size: int) -> list[_Segment]:
    found = []
    for start in range(0, len(table) - 55, size) if size >= 56 else ():
        kind, _, offset, address, _, in_file = struct.unpack_from("<IIQQQQ", table, start)
        if kind == _LOAD:
            found.append(_Segment(offset, address, in_file))
    return found
