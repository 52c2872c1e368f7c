"""Which named data shares a cache line with other data, and how large it is.

names_in_cache_lines_of(binary, thing)      names, the thing's own included
"""

from collections.abc import Iterator

from assay.measure.profile.identity.data import MARKS, DataPiece
from assay.measure.profile.program.binary import Binary

_LINE = 64  # bytes of a cache line


def names_in_cache_lines_of(binary: Binary, thing: DataPiece) -> Iterator[str]:
    """Names of the data in the first and the last cache line of a piece of data.

    Large data shares only these two with other data.
    """
    first = thing.start - thing.start % _LINE
    last = thing.start + max(1, thing.size) - 1
    for line in {first, last - last % _LINE}:
        for address in range(line, line + _LINE, 4):
            symbol = binary.data_symbol_at(address)
            if symbol is not None and symbol.name not in MARKS:
                yield symbol.name
