"""Checks whether a build followed the flags that fix placement, and how often it could be linked.

aligned_functions_of(built, "build/bench")  # {"functions": 212, "held": 211}, or {"unknown": ...}
relinking_of(built, "build/bench")   # {"linked": 8}, or {"not_linked": "..."}
notes(record.facts)               # remarks on what did not work

Only the program's own functions count: those defined by an object file or archive in the build
folder. Libraries of the system that are linked in were compiled without the flags.
"""

import os
import struct
from collections.abc import Callable, Hashable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from assay.errors import InputError
from assay.facts import BuiltPlacement, Facts
from assay.measure.profile.program.binary import Binary
from assay.remarks import LibrariesKept, NotRelinked, PlacementNotHeld, Remark

if TYPE_CHECKING:
    from assay.revisions.builder import BuiltRevision

_Found = TypeVar("_Found", bound=Hashable)

_LINE_BYTES = 64
# A build counts as aligned if this share of its functions begin at a cache line. In a build that
# does not align functions, a quarter do by chance.
_ENOUGH = 0.8
_ARCHIVE = b"!<arch>\n"
_MEMBER_BYTES = 60  # bytes of the header before each file in a static library, an archive of `ar`
_SIZE = slice(48, 58)  # where that header of an `ar` archive's file has the file's size
# Section, with a function's name after it, of code that compilers take for cold and do not align.
_NEVER = ".text.unlikely."
# Not aligned even in an aligned build: code that is hardly ever reached, and functions that the C
# library adds to every program.
_COLD = (".cold", "_GLOBAL__sub_")
_START = {
    "_start",
    "_init",
    "_fini",
    "_dl_relocate_static_pie",
    "deregister_tm_clones",
    "register_tm_clones",
    "__do_global_dtors_aux",
    "frame_dummy",
}


def aligned_functions_of(built: "BuiltRevision", name: str | None) -> dict[str, object]:
    """How many functions of the program `name` are aligned; `name` is None if a command is run."""
    if name is None:
        return {"unknown": "it runs a command"}
    try:
        with Binary(str(built.folder / name)) as binary:
            functions = dict(_functions(binary)) if binary.has_symbols else {}
    except InputError:
        return {"unknown": "it is no executable"}
    if not functions:
        return {"unknown": "it has no symbols"}
    own = functions.keys() & _defined_below(built.lease.place.source)
    if not own and built.used_drivers and _aligned_share(functions.values()) < _ENOUGH:
        return {"unknown": "its own functions cannot be told from those of libraries"}
    counted = {functions[one] for one in own} or set(functions.values())
    return {"functions": len(counted), "held": sum(not one % _LINE_BYTES for one in counted)}


def relinking_of(built: "BuiltRevision", name: str | None) -> dict[str, object]:
    """What a record says about linking the program `name` again with its functions in random
    orders: how often it was done, or why not.
    """
    if name is None:
        return {"not_linked": "a command is run, and no program of the build"}
    done = built.relinked
    if not done.files:
        return {"not_linked": done.reason}
    libraries = {"libraries": list(done.libraries)} if done.libraries else {}
    return {"linked": len(done.files), **libraries}


def notes(facts: Facts) -> tuple[Remark, ...]:
    """Remarks on builds that did not do what was asked about code placement: functions that are not
    aligned, or programs and libraries that were not linked again in random orders.
    """
    return (
        *(PlacementNotHeld(of, *counts) for counts, of in _targets_by(facts, _too_few_aligned)),
        *(NotRelinked(of, reason) for reason, of in _targets_by(facts, _reason_not_linked)),
        *(
            LibrariesKept(of, libraries)
            for libraries, of in _targets_by(facts, _libraries_not_relinked)
        ),
    )


def _targets_by(
    facts: Facts, find: Callable[[BuiltPlacement], _Found | None]
) -> Iterator[tuple[_Found, tuple[str, ...]]]:
    """Each distinct result of `find` on the builds of both sides, with the targets that gave it."""
    found: dict[_Found, list[str]] = {}
    for side, build in facts.builds.items():
        what = find(build.placement)
        if what is not None:
            found.setdefault(what, []).append(facts.targets.get(side, side))
    return ((what, tuple(targets)) for what, targets in found.items())


def _too_few_aligned(seen: BuiltPlacement) -> tuple[int, int] | None:
    is_held = not seen.functions or seen.held >= _ENOUGH * seen.functions
    return None if is_held else (seen.held, seen.functions)


def _reason_not_linked(seen: BuiltPlacement) -> str | None:
    return seen.not_linked or None


def _libraries_not_relinked(seen: BuiltPlacement) -> tuple[str, ...] | None:
    return tuple(seen.libraries) or None


def _aligned_share(addresses: Iterable[int]) -> float:
    every = set(addresses)
    return sum(not one % _LINE_BYTES for one in every) / len(every)


def _functions(binary: Binary) -> Iterator[tuple[str, int]]:
    """Names and addresses of a program's functions, without those that are never aligned."""
    for one in binary.functions():
        if one.size and one.name not in _START and not any(cold in one.name for cold in _COLD):
            yield one.name, one.address


def _defined_below(folder: Path) -> set[str]:
    """Names of the functions defined by object files and archives in a folder."""
    names: set[str] = set()
    for parent, folders, files in os.walk(folder):
        if ".git" in folders:
            folders.remove(".git")
        for file in files:
            path = Path(parent, file)
            if path.suffix == ".o":
                names |= _functions_of_object(path)
            elif path.suffix in (".a", ".rlib"):
                names |= _functions_of_archive(path)
    return names


def _functions_of_object(path: Path) -> set[str]:
    try:
        with Binary(str(path)) as binary:
            names = {one.name for one in binary.functions()}
            never = {one.name.removeprefix(_NEVER) for one in binary.sections}
            return names - never
    except InputError:  # not machine code, such as clang's files for link-time optimisation
        return set()


def _functions_of_archive(path: Path) -> set[str]:
    """Names from the index in an archive's first member: a count, offsets, then the names."""
    try:
        with path.open("rb") as file:
            if file.read(len(_ARCHIVE)) != _ARCHIVE:
                return set()
            header = file.read(_MEMBER_BYTES)
            if header[:2] != b"/ ":
                return set()
            index = file.read(int(header[_SIZE]))
        (count,) = struct.unpack_from(">I", index)
    except (OSError, ValueError, struct.error):
        return set()
    return {one.decode(errors="backslashreplace") for one in index[4 + 4 * count :].split(b"\0")}
