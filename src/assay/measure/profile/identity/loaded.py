"""A digest of everything of an executable that is loaded into memory.

loaded_digest(binary)       equal for a program and its stripped copy
"""

from assay.measure.profile.identity.labels import digest
from assay.measure.profile.program.binary import Binary

_LOADED = 0x2  # SHF_ALLOC: the section is loaded into memory
_BUILD_ID = ".note.gnu.build-id"  # a section that differs even between equal programs


def loaded_digest(binary: Binary) -> str:
    """A hash of the sections that are loaded, with their places, and of how they are loaded."""
    words = [repr(binary.segments()).encode()]
    for one in binary.sections:
        if one.flags & _LOADED and one.name != _BUILD_ID:
            facts = f"{one.name} {one.kind} {one.flags} {one.address} {one.size}"
            words += [facts.encode(), digest(binary.bytes_at(one.address, one.size)).encode()]
    return digest(b"\0".join(words))
