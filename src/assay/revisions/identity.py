"""Tells whether two builds gave the same program.

fingerprint(program, build_folder)    # equal for equal programs; None if it has none

A fingerprint is a hash of everything that the loader maps: sections of the executable and of every
shared library in the build folder, except the build id. All build folders have names of the same
length, and the name is replaced by zeros where sections contain it, as by `__FILE__`. So the same
source built twice is the same program. A script has no fingerprint, because it does not contain
what it runs. Files that a program reads when it runs are not considered.
"""

import hashlib
import os
from pathlib import Path

from assay.revisions.elf import DAMAGED, sections

_ELF = b"\x7fELF"  # how every ELF file begins
_LOADED = 0x2  # SHF_ALLOC: the section is loaded into memory
_BUILD_ID = b".note.gnu.build-id"  # a section that differs even between equal programs


def fingerprint(program: Path, folder: Path) -> str | None:
    """The fingerprint of a program built in `folder`; the folder's name is left out."""
    content = _content(program)
    if not content.startswith(_ELF):
        return None
    name = folder.name.encode()
    total = hashlib.sha256(_hash_of_sections(content, name))
    for library in libraries_below(folder):
        total.update(str(library.relative_to(folder)).encode(errors="surrogateescape"))
        total.update(_hash_of_sections(_content(library), name))
    return total.hexdigest()


def libraries_below(folder: Path) -> list[Path]:
    """Every shared library below a folder, whether linked or loaded at run time."""
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


def _hash_of_sections(content: bytes, name: bytes) -> bytes:
    """A hash of the sections of an ELF file that are loaded; of the whole file if its sections
    cannot be read."""
    total = hashlib.sha256()
    try:
        found = list(sections(content))
    except DAMAGED:
        found = []
    for section in found:
        if section.flags & _LOADED and section.name != _BUILD_ID:
            facts = f"{section.kind} {section.flags} {section.address} {section.size}"
            total.update(section.name + facts.encode())
            total.update(_without_name(section.content, name))
    if not found:
        total.update(_without_name(content, name))
    return total.digest()


def _without_name(content: bytes, name: bytes) -> bytes:
    """The content with the build folder's name replaced by zeros."""
    return content.replace(name, bytes(len(name)))
