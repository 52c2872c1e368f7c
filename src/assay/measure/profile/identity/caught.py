"""The tables by which a program catches exceptions.

They hold distances, so they are compared by their size and by the types that are caught.
"""

import struct

from assay.errors import InputError
from assay.measure.profile.identity.data import DataPiece
from assay.measure.profile.program.binary import Binary, Section


def caught_types(binary: Binary) -> DataPiece:
    """The types that a file catches, as a piece of data. Raises `InputError` for a stripped file,
    which does not name them."""
    if not binary.has_local_symbols:
        said = "throws exceptions, and is stripped of what tells their types"
        raise InputError(said, where=binary.path)
    every = (one.name for one in binary.data_symbols(written=False))
    types = sorted(one for one in every if one.startswith("DW.ref."))
    tables = [one for one in binary.sections if one.name == ".gcc_except_table"]
    if binary.is_fixed:
        types += [name for one in tables for name in _types_in(binary, one)]
    content = "\0".join(types).encode()
    size = sum(one.size for one in tables)
    return DataPiece(-1, size, "types caught", content, name="exceptions")


def _types_in(binary: Binary, table: Section) -> list[str]:
    """Types named in an exception table of a program that is always loaded at one place."""
    content = binary.bytes_at(table.address, table.size)
    types = {one.address: one.name for one in binary.data_symbols(written=False)}
    words = struct.iter_unpack("<I", content[: len(content) // 4 * 4])
    return [types[word] for (word,) in words if types.get(word, "").startswith("_ZTI")]
