"""The segments of an executable: where its bytes lie in memory, and which loader it names.

executable = Segments.of_file("build/bench")
executable.interpreter      '/lib64/ld-linux-x86-64.so.2'; empty: linked statically
executable.address(0x1040)  file offset (what tracers give) to address (what debug information has)

The two numbers are equal only with some linkers, GNU's among them.
"""

import mmap
import struct
from pathlib import Path

import msgspec

_LOAD, _INTERPRETER = 1, 3  # ELF's kinds of segments: loaded into memory; the loader's path
_MOST = 1000  # segments read at most; real files have a dozen


class ProgramSegment(msgspec.Struct, frozen=True):
    """One entry of an ELF program header: where bytes of the file lie in memory."""

    kind: int
    offset: int
    address: int
    size: int


class Segments(msgspec.Struct, frozen=True):
    """The segments of a 64-bit little-endian ELF file; none for any other file."""

    content: bytes | mmap.mmap  # mapped, because files of 200 MB occur and little is read
    every: tuple[ProgramSegment, ...] = ()

    @classmethod
    def of_file(cls, path: str) -> "Segments":
        """The segments of the file at `path`; none if it cannot be read."""
        try:
            with Path(path).open("rb") as file:
                content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError):  # an empty file cannot be mapped
            return cls(b"")
        if content[:6] != b"\x7fELF\x02\x01":
            return cls(content)
        try:
            return cls(content, tuple(_segments(content)))
        except struct.error:  # the file was cut short
            return cls(content)

    @property
    def interpreter(self) -> str:
        """The path of the dynamic loader; empty: the program is linked statically."""
        for one in self.every:
            if one.kind == _INTERPRETER:
                name = self.content[one.offset : one.offset + one.size]
                return name.rstrip(b"\0").decode(errors="replace")
        return ""

    def address(self, offset: int) -> int:
        """The address of an offset in the file; the offset itself if no segment contains it."""
        for one in self.loaded_segments:
            if one.offset <= offset < one.offset + one.size:
                return one.address + offset - one.offset
        return offset

    def call_target_before(self, address: int) -> int | None:
        """The target of the direct call that ends at this address; None if no such call does."""
        for one in self.loaded_segments:
            if one.address + 5 <= address <= one.address + one.size:
                at = one.offset + address - one.address
                code = self.content[at - 5 : at]
                if len(code) == 5 and code[0] == 0xE8:
                    return int(address + struct.unpack("<i", code[1:])[0])
        return None

    @property
    def loaded_segments(self) -> list[ProgramSegment]:
        """The segments that are loaded into memory."""
        return [one for one in self.every if one.kind == _LOAD]


def _segments(content: bytes | mmap.mmap) -> list[ProgramSegment]:
    table, size, number = (
        struct.unpack_from("<Q", content, 32)[0],
        *struct.unpack_from("<HH", content, 54),
    )
    found = []
    for index in range(min(number, _MOST)):
        at = table + index * size
        kind = struct.unpack_from("<I", content, at)[0]
        offset, address, _, length = struct.unpack_from("<QQQQ", content, at + 8)
        found.append(ProgramSegment(kind, offset, address, length))
    return found
