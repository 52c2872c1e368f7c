"""The data that code refers to: where each piece begins and ends, and its content.

    reader = DataPieces(binary, executed)
    reader.at(0x4020, width=0)      DataPiece(start=0x4000, size=64, content=b"...", pointers=...)

A symbol says how large its data is. Data without one (string literals, tables made by a compiler,
everything in a stripped program) is taken to reach up to the next place that anything refers to.
"""

import re
import struct
from bisect import bisect_right
from collections.abc import Container, Sequence
from functools import cached_property
from itertools import pairwise

import msgspec
import numpy as np

from assay.measure.profile.identity.normal_form import Reference
from assay.measure.profile.identity.relative_tables import RelativeTables
from assay.measure.profile.program.binary import Binary, Section, Symbol

# Sections that the program may write to while it runs.
_WRITTEN = re.compile(r"\.(?:data(?!\.rel)|bss|tdata|tbss|ldata|lbss)")
# A section whose name is a C identifier: the linker defines symbols for its begin (`__start_NAME`)
# and its end, and code walks through everything that any file put there.
_WALKED = re.compile(r"[A-Za-z_]\w*")
_UNSIZED = "__dso_handle"  # from the C library's start files: a pointer whose symbol has no size
# Symbols from the C library's start files and the toolchain, which are not the program's data.
MARKS = frozenset({_UNSIZED, "__TMC_END__", "completed.0"})
_LARGEST = 64_000_000  # bytes of one piece of data that are compared
_LONGEST_TEXT = 4096  # characters of a string literal that are looked at
_OF_A_CLASS = re.compile("_ZT[VTC]")  # names of vtables, which are referred to inside
# Bytes before data at which a pointer to its elements may lie: one element, mostly of 1 to 16.
_FARTHEST_BEFORE = 16
_SHOWN = 40  # characters of a string literal that serve as its name
_DISTANCES = "distances"  # kind of a table of distances from itself
_SHORTEST_TABLE = 2  # entries of a jump table at least; fewer may be numbers by chance


class DataPiece(msgspec.Struct, frozen=True):
    """One piece of the program's data, such as a variable, a string literal or a jump table.

    Pointers in `content` are zeroed, because they differ with placement; `pointers` has them.
    """

    start: int
    size: int
    kind: str  # what it is, as compared: "constant", "written", "distances", "zeros 8" ...
    content: bytes
    # Offset and target of each pointer; a target that is a string names a symbol of a library.
    pointers: tuple[tuple[int, Reference | str], ...] = ()
    name: str = ""  # its symbol, or its text in quotes; empty: none
    slot: str = ""  # name of the library's symbol whose address the loader writes there


def _quoted(content: bytes) -> str:
    """Printable text in quotes, as a name for a piece of data; empty if the content is not text."""
    text = content.decode("ascii", errors="replace")
    return f'"{text[:_SHOWN]}"' if text and text.isprintable() and "\ufffd" not in text else ""


class DataPieces:
    """Finds the pieces of data of one executable or library; each piece is read once."""

    def __init__(self, binary: Binary, executed: Container[int]) -> None:
        self._binary, self._executed = binary, executed
        self._tables = RelativeTables(binary)
        self._known: dict[tuple[int, int], DataPiece] = {}

    def at(self, address: int, width: int) -> DataPiece:
        """The piece of data at an address. `width` is how many bytes are read there; 0 if not
        known."""
        listed = self._binary.section_at(address)
        if listed is not None and _WALKED.fullmatch(listed.name):
            return self.whole(listed)
        symbol = self._binary.data_symbol_at(address)
        if symbol is not None:
            end = symbol.address + (8 if symbol.name == _UNSIZED else symbol.size)
            if not width and address != symbol.address and not _OF_A_CLASS.match(symbol.name):
                end = self._end_of_next(address) or end
            return self._named(address, width, symbol, end)
        # A slot that the loader fills with a place of this file is a pointer like others.
        slot = self._binary.name_in_loader_table(address) if self._is_import(address) else ""
        if slot and width in (0, 8):
            return DataPiece(address, 8, f"slot {slot}", b"", slot=slot)
        section = self._binary.section_at(address)
        if section is None:
            return DataPiece(address, 0, "outside", b"")
        # In a writable section nothing says where data without a symbol begins: take all of it.
        if _WRITTEN.match(section.name):
            return self.whole(section)
        if width:
            return self._piece(address, width, "")
        if not self._binary.has_local_symbols:
            return self._whole_constant(section)
        if piece := self._after_padding(address):
            return piece
        end = self._end_of_piece(address, section)
        return self._relative_table(address, end, "") or self._piece(address, end - address, "")

    def _is_import(self, address: int) -> bool:
        return any(isinstance(to, str) for _, to in self._binary.pointers_in(address, address + 1))

    def _named(self, address: int, width: int, symbol: Symbol, end: int) -> DataPiece:
        table = None
        if address == symbol.address and not width:
            table = self._relative_table(address, end, symbol.name)
        return table or self._piece(symbol.address, end - symbol.address, symbol.name)

    def _after_padding(self, address: int) -> DataPiece | None:
        """Padding and the named data behind it, for a pointer to the padding that may be meant for
        that data (see `_end_of_next`). None: there is none, or the pointer is the end of data whose
        begin is referred to, too."""
        before = self._binary.data_symbol_at(address - 1)
        if (
            before
            and before.address in self._tables.referred
            and before.address + before.size == address
        ):
            return None
        end, after = self._end_of_next(address), self._binary.data_symbol_after(address)
        if not end or not after or any(self._binary.bytes_at(address, after.address - address)):
            return None
        return self._piece(address, end - address, after.name)

    def _end_of_next(self, address: int) -> int:
        """Where the named data ends that begins shortly after an address; 0: there is none.

        A compiler that takes the first round out of a loop over `table` may reach the others from
        `&table[-1]`, which lies in the padding before it, or in other data. (A table was not
        compared for that.)
        """
        after = self._binary.data_symbol_after(address)
        if after is None or after.address - address > _FARTHEST_BEFORE:
            return 0
        same = self._binary.section_at(after.address) == self._binary.section_at(address)
        return after.address + after.size if same else 0

    def whole(self, section: Section) -> DataPiece:
        """A whole section as one piece of data."""
        return self._piece(section.address, section.size, section.name)

    def thread_local(self, section: Section) -> DataPiece:
        """The initial content of thread-local data, under the name that users are told."""
        return msgspec.structs.replace(self.whole(section), name="thread_local data")

    def is_written(self, address: int) -> bool:
        """Whether data there can be written to while the program runs, not only by the loader."""
        section = self._binary.section_at(address)
        return section is not None and bool(_WRITTEN.match(section.name))

    def named(self) -> list[Symbol]:
        """Named data in writable sections, those included that only the loader writes to."""
        return list(self._binary.data_symbols(written=True))

    def pointers(self, start: int, size: int) -> list[int]:
        """The addresses stored as pointers in a range of data, in order."""
        found = self._read(start, size, "").pointers
        return [to.address for _, to in found if isinstance(to, Reference)]

    def _piece(self, start: int, size: int, name: str) -> DataPiece:
        key = start, size
        if key not in self._known:
            self._known[key] = self._read(start, size, name)
        return self._known[key]

    def _read(self, start: int, size: int, name: str) -> DataPiece:
        section = self._binary.section_at(start)
        if section is None or section.has_no_bytes:
            kind = f"zeros {size if name else ''}"
            return DataPiece(start, size, kind, b"", name=name)
        content = bytearray(self._binary.bytes_at(start, min(size, _LARGEST)))
        found = self._binary.pointers_in(start, start + len(content))
        if self._binary.is_fixed:
            found += self._absolute_addresses(start, content)
        pointers = []
        for place, to in found:
            content[place - start : place - start + 8] = bytes(8)
            there = self._reference(to) if isinstance(to, int) else to
            pointers.append((place - start, there))
        kind = "written" if section.is_written else "constant"
        text = bytes(content) if name else bytes(content).rstrip(b"\0")
        return DataPiece(start, size, kind, text, tuple(pointers), name or _quoted(text))

    def _absolute_addresses(self, start: int, content: bytearray) -> list[tuple[int, int | str]]:
        """Numbers that are addresses in the program, if it is always loaded at the same place."""
        first = -start % 8
        found: list[tuple[int, int | str]] = []
        for offset in range(first, len(content) - 7, 8):
            (value,) = struct.unpack_from("<Q", content, offset)
            if value and self._binary.section_at(value) is not None:
                found.append((start + offset, int(value)))
        return found

    def _reference(self, address: int) -> Reference:
        """A pointer's target, as code or data."""
        section = self._binary.section_at(address)
        is_code = section is not None and section.is_code
        return Reference("code" if is_code else "data", address)

    def _relative_table(self, address: int, end: int, name: str) -> DataPiece | None:
        """A table of distances from itself, kept as what they lead to; None: it is taken for
        numbers.

        It is one if code adds its address to its entries (see `RelativeTables`). If it is not known
        to which entries a function adds it, a table without a name is one whose entries all lead
        into that function, one of them to what was executed: a `switch` statement's.
        """
        section = self._binary.section_at(address)
        if section is None or section.is_written or address % 4:
            return None
        content = self._binary.bytes_at(address, end - address)
        targets = self._targets(address, content)
        is_used = bool(targets) and self._tables.is_one(address)
        if not is_used and (name or not self._is_of_a_switch(address, targets)):
            return None
        rest = content[4 * len(targets) :].rstrip(b"\0")
        pointers = tuple((4 * i, one) for i, one in enumerate(targets))
        return DataPiece(address, end - address, _DISTANCES, rest, pointers, name)

    def _targets(self, address: int, content: bytes) -> list[Reference]:
        """What the entries of a table lead to, up to one that is of another kind; zeros at the end
        are padding."""
        targets: list[Reference] = []
        filled = content.rstrip(b"\0")
        entries = content[: (len(filled) + 3) // 4 * 4]
        for (distance,) in struct.iter_unpack("<i", entries[: len(entries) // 4 * 4]):
            to = self._reference(address + distance)
            if self._binary.section_at(to.address) is None or to.kind != (*targets, to)[0].kind:
                break
            targets.append(to)
        return targets

    def _is_of_a_switch(self, address: int, targets: Sequence[Reference]) -> bool:
        places = [one.address for one in targets if one.kind == "code"]
        if len(places) < _SHORTEST_TABLE or not any(one in self._executed for one in places):
            return False
        return self._tables.is_in_function_with_another(address, places)

    def _whole_constant(self, section: Section) -> DataPiece:
        """A whole section that is not written to, of a stripped program.

        Nothing tells there where a table ends: the next place that code refers to may be in the
        middle of it. (An entry behind such a place was not compared.)
        """
        key = section.address, section.size
        if key in self._known:
            return self._known[key]
        content, pointers = bytearray(), list[tuple[int, Reference | str]]()
        first, last = np.searchsorted(self._starts_of_pieces, [key[0] + 1, sum(key)])
        places = [section.address, *self._starts_of_pieces[int(first) : int(last)], sum(key)]
        for start, end in pairwise(places):
            piece = self._relative_table(start, end, "")
            piece = piece or self._read(start, end - start, section.name)
            before = bytes(4 * len(piece.pointers) if piece.kind == _DISTANCES else 0)
            content += (before + piece.content).ljust(end - start, b"\0")
            pointers += [(start - section.address + at, to) for at, to in piece.pointers]
        whole = DataPiece(*key, "constant", bytes(content), tuple(pointers), section.name)
        self._known[key] = whole
        return whole

    def _end_of_piece(self, address: int, section: Section) -> int:
        """Where a piece of data ends: where the next one begins; text extends at least to its zero
        byte."""
        end = section.address + section.size
        index = bisect_right(self._starts_of_pieces, address)
        following = (
            min(end, self._starts_of_pieces[index]) if index < len(self._starts_of_pieces) else end
        )
        text = self._binary.bytes_at(address, _LONGEST_TEXT).partition(b"\0")[0]
        is_text = bool(text) and text.isascii() and text.decode().isprintable()
        return max(following, min(end, address + len(text) + 1)) if is_text else following

    @cached_property
    def _starts_of_pieces(self) -> list[int]:
        """Every address that an instruction or pointer refers to, and where symbols begin."""
        places = [np.array(sorted(self._tables.referred), np.int64), self._binary.symbol_starts()]
        places.append(self._binary.pointer_targets())
        return [int(one) for one in np.unique(np.concatenate(places))]
