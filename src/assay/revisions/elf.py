"""Reads the sections and functions of an executable, as far as builds need them.

for section in sections(content): section.name, section.content
functions(path)             # {"main": 0x1080, ...} ordered by address; {} without symbols
"""

import struct
from collections.abc import Iterator
from pathlib import Path

import msgspec

_WIDE, _LITTLE = 2, 1  # ELF's marks of a 64-bit file and of little-endian numbers
_NO_BITS = 8  # SHT_NOBITS: a section without bytes in the file
_FUNCTION = 2  # STT_FUNC: the symbol of a function
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")  # ELF's file header
_SECTION = struct.Struct("<IIQQQQIIQQ")  # an entry of ELF's table of sections
_SYMBOL = struct.Struct("<IBBHQQ")  # an entry of ELF's symbol table


class ElfSection(msgspec.Struct, frozen=True):
    """One section of an ELF file, with the fields of its header and its bytes."""

    name: bytes
    kind: int
    flags: int
    address: int
    content: bytes
    size: int


# What reading a damaged file raises: a table beyond its end, a name without an end.
DAMAGED = (struct.error, IndexError, ValueError)


def sections(content: bytes) -> Iterator[ElfSection]:
    """The sections of a 64-bit little-endian file; empty for any other file."""
    header = _HEADER.unpack_from(content)
    ident, table, size, count, names_at = header[0], header[6], header[11], header[12], header[13]
    if (ident[4], ident[5]) != (_WIDE, _LITTLE) or not table or not count:
        return
    entries = [_SECTION.unpack_from(content, table + size * place) for place in range(count)]
    names = content[entries[names_at][4] :]
    for name, kind, flags, address, at, length, *_ in entries:
        inside = b"" if kind == _NO_BITS else content[at : at + length]
        yield ElfSection(
            names[name : names.index(b"\0", name)], kind, flags, address, inside, length
        )


def functions(path: Path) -> dict[str, int]:
    """Name and address of every function that the program itself defines, ordered by address."""
    try:
        content = path.read_bytes()
        parts = {one.name: one.content for one in sections(content)}
        names = parts.get(b".strtab", b"")
        found = [
            (at, names[start : names.index(b"\0", start)].decode(errors="backslashreplace"))
            for start, info, _, section, at, size in _SYMBOL.iter_unpack(parts.get(b".symtab", b""))
            if info & 15 == _FUNCTION and section and size
        ]
    except (OSError, *DAMAGED):
        return {}
    return {name: at for at, name in sorted(found)}
