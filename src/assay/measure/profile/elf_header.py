"""What an executable says of itself in its ELF header, as far as it is asked here.

executable = Elf.read("build/bench")
executable.interpreter      '/lib64/ld-linux-x86-64.so.2'; empty: linked statically
executable.address(0x1040)  where these bytes of the file are, as addr2line counts
"""

import mmap
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

_LOAD, _INTERPRETER = 1, 3


class _Part(NamedTuple):
    kind: int
    offset: int
    address: int
    size: int


@dataclass(frozen=True)
class Elf:
    """A 64-bit little-endian one; of anything else nothing is known."""

    content: bytes | mmap.mmap  # of which little is read: it may have 200 MB
    parts: tuple[_Part, ...] = ()

    @classmethod
    def read(cls, path: str) -> "Elf":
        """Nothing where the file cannot be read."""
        try:
            with Path(path).open("rb") as file:
                content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError):  # an empty file cannot be mapped
            return cls(b"")
        if content[:6] != b"\x7fELF\x02\x01":
            return cls(content)
        try:
            return cls(content, tuple(_parts(content)))
        except struct.error:  # cut short
            return cls(content)

    @property
    def interpreter(self) -> str:
        for part in self.parts:
            if part.kind == _INTERPRETER:
                name = self.content[part.offset : part.offset + part.size]
                return name.rstrip(b"\0").decode(errors="replace")
        return ""

    def address(self, offset: int) -> int:
        """Of bytes of the file; the offset itself where nothing is known."""
        for part in self._loaded():
            if part.offset <= offset < part.offset + part.size:
                return part.address + offset - part.offset
        return offset

    def called_before(self, address: int) -> int | None:
        """What the instruction that ends at an address calls, if it names that directly."""
        for part in self._loaded():
            if part.address + 5 <= address <= part.address + part.size:
                at = part.offset + address - part.address
                code = self.content[at - 5 : at]
                if len(code) == 5 and code[0] == 0xE8:
                    return int(address + struct.unpack("<i", code[1:])[0])
        return None

    def _loaded(self) -> list[_Part]:
        return [part for part in self.parts if part.kind == _LOAD]


def _parts(content: bytes | mmap.mmap) -> list[_Part]:
    table, size, number = (
        struct.unpack_from("<Q", content, 32)[0],
        *struct.unpack_from("<HH", content, 54),
    )
    found = []
    for index in range(number):
        at = table + index * size
        kind = struct.unpack_from("<I", content, at)[0]
        offset, address, _, length = struct.unpack_from("<QQQQ", content, at + 8)
        found.append(_Part(kind, offset, address, length))
    return found
