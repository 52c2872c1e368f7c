"""Reads what an executable says of its functions: names, places, bytes, imports, compilers.

    with Binary(path) as binary:
        binary.function_at(0x1380)      Symbol(address=0x1370, size=212, name="_ZN3Wal6appendEv")

The file is mapped, not read: even with 200 MB of symbols only the table's fixed part (24 bytes for
each) and the names asked for are touched. Only 64-bit little-endian files are read, which is where
valgrind works.
"""

import mmap
import struct
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError

MACHINES = {62: "x86-64", 183: "aarch64"}  # ELF's numbers of the machines whose code is read
_SYMTAB, _RELA, _NOBITS, _DYNSYM = 2, 4, 8, 11  # ELF's kinds of sections
_ALLOCATED = 2  # SHF_ALLOC: the section is loaded into memory
_OBJECT = 1  # ELF's kind of symbols that are data: STT_OBJECT
_FUNCTIONS = (2, 10)  # ELF's kinds of symbols that are functions: STT_FUNC, STT_GNU_IFUNC
_LONGEST_NAME = 16_384  # bytes of a symbol's name that are read
_LONGEST_UNSIZED = 65_536  # bytes at most of a function whose size the symbol table does not give
_RELATIVE = (8, 37, 1027, 1032)  # relocation types that hold an address; others name a symbol
_SYMBOL = np.dtype(
    [
        ("name", "<u4"),
        ("info", "u1"),
        ("other", "u1"),
        ("section", "<u2"),
        ("value", "<u8"),
        ("size", "<u8"),
    ]
)
_COLUMNS = ("value", "size", "name")  # fields of a symbol that are looked up by address
# An entry of a table of relocations.
_RELOCATION = np.dtype([("offset", "<u8"), ("info", "<u8"), ("addend", "<i8")])
Table = NDArray[np.void]


class SymbolColumns(NamedTuple):
    """All functions, or all data, of a symbol table, ordered by address.

    Each field is an array of its own, because that is fast to search.
    """

    values: NDArray[np.uint64]
    sizes: NDArray[np.uint64]
    names: NDArray[np.uint32]


class Symbol(msgspec.Struct, frozen=True, order=True):
    """A function or a piece of data that has a name."""

    address: int
    size: int
    name: str


class Section(msgspec.Struct, frozen=True):
    """A section of an ELF file, with the fields of its header, and the address at which it is
    loaded."""

    name: str
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int

    @property
    def is_written(self) -> bool:
        """Whether the program can write to the section, whose bytes can then differ from the
        file."""
        return bool(self.flags & 1)

    @property
    def is_code(self) -> bool:
        return bool(self.flags & 4)

    @property
    def has_no_bytes(self) -> bool:
        """Whether the section has no bytes in the file, because it starts as all zeros (.bss)."""
        return self.kind == _NOBITS


class Binary:
    """An ELF executable or library, whose symbols, sections and bytes can be looked up.

    Raises `InputError` for any other file, or one that is cut short.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            with Path(path).open("rb") as file:
                self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self._read()
        except (OSError, ValueError, OverflowError, struct.error, IndexError) as error:
            raise InputError(f"cannot be read as an executable ({error})", where=path) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._bytes.close()

    @property
    def has_symbols(self) -> bool:
        """Whether the file has its full symbol table; a stripped one has exported names at most."""
        return any(one.kind == _SYMTAB for one in self.sections)

    @property
    def has_local_symbols(self) -> bool:
        """Whether the file names functions and data that other files cannot refer to, too, as every
        file does from which no symbols were removed."""
        return self._has_local_symbols

    def function_at(self, address: int) -> Symbol | None:
        """The function that the instruction at this address belongs to."""
        return self._symbol_around(self._functions, address)

    def data_symbol_at(self, address: int) -> Symbol | None:
        """The named data that this address belongs to."""
        return self._symbol_around(self._things, address)

    def data_symbol_after(self, address: int) -> Symbol | None:
        """The named data that begins next after this address."""
        starts = np.unique(self._things.values)
        place = int(np.searchsorted(starts, address, side="right"))
        return (
            self._symbol_around(self._things, int(starts[place])) if place < len(starts) else None
        )

    def data_symbols(self, *, written: bool) -> Iterator[Symbol]:
        """All named data; with `written` only data in writable sections."""
        for start in np.unique(self._things.values):
            found = self._symbol_around(self._things, int(start))
            section = self.section_at(int(start))
            if found and section and (section.is_written or not written):
                yield found

    def symbol_starts(self) -> NDArray[np.int64]:
        """Addresses where named functions and data begin."""
        both = np.concatenate([self._functions.values, self._things.values])
        return both.astype(np.int64)

    def pointer_targets(self) -> NDArray[np.int64]:
        """Addresses that the loader writes into data as pointers."""
        kinds = self._relocations["info"] & 0xFFFFFFFF
        return np.asarray(self._relocations["addend"][np.isin(kinds, _RELATIVE)], np.int64)

    def pointers_in(self, start: int, end: int) -> list[tuple[int, int | str]]:
        """Addresses in a range where the loader writes pointers, with their targets: an address or
        a symbol."""
        first, last = np.searchsorted(self._slots, np.array([start, end], np.uint64))
        found: list[tuple[int, int | str]] = []
        for index in range(int(first), int(last)):
            row = self._relocations[index]
            if int(row["info"]) & 0xFFFFFFFF in _RELATIVE:
                found.append((int(row["offset"]), int(row["addend"])))
            else:
                found.append((int(row["offset"]), self._imported_symbol(row)))
        return found

    def _imported_symbol(self, row: np.void) -> str:
        """The symbol of another file that a relocation names, with the offset added to it."""
        symbol = int(row["info"]) >> 32
        if self._imports is None or symbol >= len(self._imports[0]):
            return "unknown"
        symbols, names = self._imports
        name = self._name(names, int(symbols["name"][symbol]))
        return f"{name}+{int(row['addend']):#x}"

    def exported_in(self, start: int, end: int) -> list[tuple[int, str]]:
        """Addresses and names of what the file defines in a range for others to find by name."""
        table, names = self._exports
        first, last = np.searchsorted(table["value"], np.array([start, end], np.uint64))
        some = table[int(first) : int(last)]
        return [(int(one["value"]), self._text(names + int(one["name"]))) for one in some]

    @cached_property
    def _exports(self) -> tuple[Table, int]:
        """Functions and data that the file defines for others, by address, and where their names
        begin."""
        if self._imports is None:
            return np.zeros(0, _SYMBOL), 0
        table, names = self._imports
        some = table[(table["section"] != 0) & np.isin(table["info"] & 15, (*_FUNCTIONS, _OBJECT))]
        return some[np.argsort(some["value"], kind="stable")], names.offset

    def functions(self) -> Iterator[Symbol]:
        """Every function that the file defines, once for each of its names."""
        if self._names is not None:
            for start, size, name in zip(*self._functions, strict=True):
                yield Symbol(int(start), int(size), self._name(self._names, int(name)))

    def named_at(self, address: int) -> str:
        """The symbol at this address, with the offset into it if any; empty if there is none."""
        for table in (self._functions, self._things):
            found = self._symbol_around(table, address)
            if found is not None:
                inside = address - found.address
                return f"{found.name}+{inside:#x}" if inside else found.name
        return ""

    def has_symbol(self, name: str) -> bool:
        """Whether the file contains this name as a symbol."""
        return bool(name) and self._bytes.find(b"\0" + name.encode() + b"\0") >= 0

    def name_in_loader_table(self, address: int) -> str:
        """The name that the loader's pointer at this address leads to; empty if it is not known."""
        place = int(np.searchsorted(self._slots, np.uint64(address)))
        if place == len(self._slots) or self._slots[place] != address:
            return ""
        info = int(self._relocations["info"][place])
        if info & 0xFFFFFFFF in _RELATIVE:
            return self.named_at(int(self._relocations["addend"][place]))
        if self._imports is None or info >> 32 >= len(self._imports[0]):
            return ""
        symbols, names = self._imports
        return self._name(names, int(symbols["name"][info >> 32]))

    def section_at(self, address: int) -> Section | None:
        """The section that is loaded at an address; None: none is."""
        for one in self.sections:
            if one.flags & _ALLOCATED and one.address <= address < one.address + one.size:
                return one
        return None

    def bytes_at(self, address: int, size: int) -> bytes:
        """The bytes at an address; fewer than `size` where the section ends."""
        section = self.section_at(address)
        if section is None or section.kind == _NOBITS:
            return b""
        start = section.offset + address - section.address
        return self._bytes[start : min(start + size, section.offset + section.size)]

    @property
    def is_started(self) -> bool:
        """Whether the file is a program and not a library."""
        return self.is_fixed or any(one.name == ".interp" for one in self.sections)

    def segments(self) -> list[tuple[int, ...]]:
        """What the loader is told to map: for each segment all but its place in the file."""
        (start,) = struct.unpack_from("<Q", self._bytes, 32)
        size, count = struct.unpack_from("<HH", self._bytes, 54)
        every = [
            struct.unpack_from("<IIQQQQQQ", self._bytes, start + size * index)
            for index in range(count if start else 0)
        ]
        return [(one[0], one[1], *one[3:]) for one in every]

    def compiler(self) -> str:
        """The compiler that the .comment section names; empty if it names none.

        The start files of every program were compiled by the C library's GCC, so if another
        compiler is named, that one compiled the program.
        """
        found = [one for one in self.sections if one.name == ".comment"]
        if not found:
            return ""
        text = self._bytes[found[0].offset : found[0].offset + min(found[0].size, 4096)]
        names = [one for one in text.decode(errors="replace").split("\0") if one]
        others = [one for one in names if not one.startswith("GCC:") and "inker" not in one]
        return sorted(others or names)[0] if names else ""

    def _read(self) -> None:
        if self._bytes[:6] != b"\x7fELF\x02\x01":
            raise ValueError("no 64-bit little-endian ELF file")
        kind, machine = struct.unpack_from("<HH", self._bytes, 16)
        self.machine = MACHINES.get(machine, f"machine {machine}")
        # The address where the program begins; 0 for most libraries.
        (self.entry,) = struct.unpack_from("<Q", self._bytes, 24)
        self.is_fixed = kind == 2  # not position-independent: it holds absolute addresses
        self.sections = self._sections()
        symbols = self._table(_SYMTAB) or self._table(_DYNSYM)
        self._names = symbols[1] if symbols else None
        table = symbols[0] if symbols else np.zeros(0, _SYMBOL)
        kinds = table["info"] & 15
        there = (table["section"] != 0) & (table["section"] < 0xFF00)
        self._functions = _by_address(table[np.isin(kinds, _FUNCTIONS) & there])
        self._things = _by_address(table[(kinds == _OBJECT) & there])
        # Symbols that the linker itself makes have no size.
        is_local = np.isin(kinds, (_OBJECT, *_FUNCTIONS)) & (table["info"] < 16)
        self._has_local_symbols = bool(np.any(is_local & (table["size"] > 0)))
        self._imports = self._table(_DYNSYM)
        self._relocations = self._all_relocations()
        self._slots = np.ascontiguousarray(self._relocations["offset"])

    def _sections(self) -> tuple[Section, ...]:
        (start,) = struct.unpack_from("<Q", self._bytes, 40)
        size, count, names = struct.unpack_from("<HHH", self._bytes, 58)
        raw = [
            struct.unpack_from("<IIQQQQI", self._bytes, start + size * index)
            for index in range(count if start else 0)
        ]
        if any(one[1] != _NOBITS and one[4] + one[5] > len(self._bytes) for one in raw):
            raise ValueError("it is cut")
        base = raw[names][4] if names < len(raw) else 0
        return tuple(Section(self._text(base + one[0]), *one[1:]) for one in raw)

    def _table(self, kind: int) -> tuple[Table, Section] | None:
        """The first table of symbols of a kind, and the section with their names; None: there is
        none."""
        for one in self.sections:
            if one.kind == kind:
                return self._array(one, _SYMBOL), self.sections[one.link]
        return None

    def _array(self, section: Section, kind: np.dtype[np.void]) -> Table:
        count = section.size // kind.itemsize
        return np.frombuffer(self._bytes, kind, count, section.offset).copy()

    def _all_relocations(self) -> Table:
        parts = [self._array(one, _RELOCATION) for one in self.sections if one.kind == _RELA]
        if not parts:
            return np.zeros(0, _RELOCATION)
        every = np.concatenate(parts)
        return every[np.argsort(every["offset"], kind="stable")]

    def _symbol_around(self, table: SymbolColumns, address: int) -> Symbol | None:
        """The symbol that an address lies in; of several names the alphabetically first, to be
        stable."""
        last = int(np.searchsorted(table.values, np.uint64(address), "right")) - 1
        if last < 0 or self._names is None:
            return None
        start = int(table.values[last])
        first = int(np.searchsorted(table.values, np.uint64(start)))
        size = int(table.sizes[first : last + 1].max())
        if not size:
            size = self._size_up_to_next_symbol(table, start, last)
        if address >= start + size:
            return None
        names = [self._name(self._names, int(one)) for one in table.names[first : last + 1][:50]]
        return Symbol(start, size, min(names))

    def _size_up_to_next_symbol(self, table: SymbolColumns, start: int, last: int) -> int:
        """A size for a symbol that has none: up to the next symbol, or to the end of its
        section."""
        section = self.section_at(start)
        if section is None:
            return 0
        end = section.address + section.size
        if last + 1 < len(table.values):
            end = min(end, int(table.values[last + 1]))
        return min(end - start, _LONGEST_UNSIZED)

    def _name(self, section: Section, offset: int) -> str:
        return self._text(section.offset + offset)

    def _text(self, start: int) -> str:
        end = self._bytes.find(b"\0", start, start + _LONGEST_NAME)
        stop = end if end >= 0 else start + _LONGEST_NAME
        return self._bytes[start:stop].decode(errors="backslashreplace")


def _by_address(table: Table) -> SymbolColumns:
    """The symbols of a table, ordered by address."""
    order = np.argsort(table["value"], kind="stable")
    return SymbolColumns(*(np.ascontiguousarray(table[column][order]) for column in _COLUMNS))
