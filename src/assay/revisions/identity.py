"""Whether two builds gave the same program.

fingerprint(program, build_folder)    # equal for equal programs; None: it cannot be told

A fingerprint is that of everything the loader maps: the sections of the executable and of every
shared library in the build folder, without the build id. Builds lie in folders whose names have
one length; the name is taken for zeros where the sections hold it, as `__FILE__` does, so that
the same source built twice is the same program. A script has no fingerprint: what it runs is not
in it. What a program reads from files when it runs is not looked at either.
"""

import hashlib
import os
import struct
from pathlib import Path

from assay.revisions.elf import sections

_ELF = b"\x7fELF"
_LOADED = 0x2  # SHF_ALLOC
_BUILD_ID = b".note.gnu.build-id"


def fingerprint(program: Path, folder: Path) -> str | None:
    """Of a program built in `folder`, whose own name is not part of it."""
    content = _content(program)
    if not content.startswith(_ELF):
        return None
    name = folder.name.encode()
    total = hashlib.sha256(_digest(content, name))
    for library in libraries_below(folder):
        total.update(str(library.relative_to(folder)).encode(errors="surrogateescape"))
        total.update(_digest(_content(library), name))
    return total.hexdigest()


def libraries_below(folder: Path) -> list[Path]:
    """Every shared library, whether it is linked or loaded later."""
    found = []
    for parent, folders, files in os.walk(folder):
        if ".git" in folders:
            folders.remove(".git")
        found += [Path(parent, name) for name in files if ".so" in Path(name).suffixes]
    return sorted(path for path in found if not path.is_symlink())


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _digest(content: bytes, name: bytes) -> bytes:
    """Of what is loaded; of the whole file where its sections cannot be read."""
    total = hashlib.sha256()
    try:
        found = list(sections(content))
    except (struct.error, IndexError):
        found = []
    for section in found:
        if section.flags & _LOADED and section.name != _BUILD_ID:
            facts = f"{section.kind} {section.flags} {section.address} {section.size}"
            total.update(section.name + facts.encode())
            total.update(_without(section.content, name))
    if not found:
        total.update(_without(content, name))
    return total.digest()


def _without(content: bytes, name: bytes) -> bytes:
    return content.replace(name, bytes(len(name)))
