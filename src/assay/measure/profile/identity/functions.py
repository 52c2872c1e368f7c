"""Where functions begin and end, in a stripped file as well.

    FunctionRanges(binary).around(0x1384)       (0x1370, 212): where it begins, and its bytes

A stripped file has no symbols of its functions, but what is needed to unwind the stack through each
of them when an exception is thrown (`.eh_frame`), and a sorted index of that (`.eh_frame_hdr`).
"""

import struct
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay.measure.profile.program.binary import Binary

_HEADER = struct.Struct("<BBBBiI")  # of the index: version, three encodings, a pointer, a count
# Encodings that linkers use for x86-64: pointer relative to its own place, 32-bit number, and a
# table of 32-bit numbers relative to the begin of the section.
_ENCODINGS = (1, 0x1B, 0x03, 0x3B)
_PLACE_IN_ENTRY = 8  # bytes before the address of the function in an entry of `.eh_frame`


class FunctionRanges:
    """The functions of one file: by its symbols, or else as its tables for exceptions tell."""

    def __init__(self, binary: Binary) -> None:
        self._binary = binary

    def around(self, address: int) -> tuple[int, int] | None:
        """Begin and size of the function that an instruction belongs to; None: not known."""
        symbol = self._binary.function_at(address)
        if symbol is not None:
            return symbol.address, symbol.size
        starts, sizes = self._unwound
        place = int(np.searchsorted(starts, address, side="right")) - 1
        if place < 0 or address >= starts[place] + sizes[place]:
            return None
        return int(starts[place]), int(sizes[place])

    @cached_property
    def _unwound(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Begins, in order, and sizes of the functions in the index. An entry that does not say
        the same as the index is left out, as its encoding is another one."""
        none = np.zeros(0, np.int64), np.zeros(0, np.int64)
        parts = {one.name: one for one in self._binary.sections}
        index, entries = parts.get(".eh_frame_hdr"), parts.get(".eh_frame")
        if index is None or entries is None or index.size < _HEADER.size:
            return none
        raw = self._binary.bytes_at(index.address, index.size)
        *encodings, _, count = _HEADER.unpack_from(raw)
        if tuple(encodings) != _ENCODINGS or len(raw) < _HEADER.size + 8 * count:
            return none
        table = np.frombuffer(raw, "<i4", 2 * count, _HEADER.size).reshape(-1, 2).astype(np.int64)
        starts, places = index.address + table[:, 0], index.address + table[:, 1]
        content = np.frombuffer(self._binary.bytes_at(entries.address, entries.size), np.uint8)
        at = places - entries.address + _PLACE_IN_ENTRY
        known = (at >= 0) & (at + 8 <= len(content))
        starts, places, at = starts[known], places[known], at[known]
        is_same = places + _PLACE_IN_ENTRY + _numbers(content, at) == starts
        order = np.argsort(starts[is_same], kind="stable")
        return starts[is_same][order], _numbers(content, at + 4)[is_same][order]


def _numbers(content: NDArray[np.uint8], at: NDArray[np.int64]) -> NDArray[np.int64]:
    """The 32-bit numbers at these places."""
    total = np.zeros(len(at), np.int64)
    for byte in range(4):
        total += content[at + byte].astype(np.int64) << (8 * byte)
    return np.where(total >= 1 << 31, total - (1 << 32), total)
