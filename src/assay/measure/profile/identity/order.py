"""The order in which code ran before `main`, as far as it can make a difference.

    for one in groups_in_order(loader_entries(...), parts, reach): ...   # parts in their order

A linker calls the constructors of files in the order in which the files are linked, and those of
one file by priority; a loader calls those of libraries in the order in which they need each other.
If two refer to the same writable data, or both change state in a library, another order may have
another result. Otherwise their order does not matter, and is left out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from assay.measure.profile.exact.callgrind_file import CallLine
from assay.measure.profile.identity.data import DataPieces
from assay.measure.profile.identity.effects import CodeEffects, Place, Reach
from assay.measure.profile.identity.part import CodePart
from assay.measure.profile.program.binary import Binary

# Sections with lists of functions that run before `main`.
_ARRAYS = (".preinit_array", ".init_array")
_LOADER = re.compile(r"ld-linux|ld-\d|ld\.so")  # file names of the dynamic loader
_LAST = 1 << 62  # greater than the number of any function


def loader_entries(
    binaries: Mapping[str, Binary], things: Mapping[str, DataPieces], calls: Sequence[CallLine]
) -> list[Place]:
    """Where code began that the program did not call itself, in the order in which it ran.

    What the loader calls but no list names (resolvers of a function's variants) comes first.
    Callgrind numbers functions as they first run, which tells the order of the libraries.
    """
    numbers = {(one.callee.object, one.to): one.number for one in calls}
    listed = {path: constructors(binaries[path], things[path]) for path in binaries}
    in_lists = {place for some in listed.values() for place in some}
    programs = {(path, one.entry) for path, one in binaries.items()}
    others = {
        (one.callee.object, one.to)
        for one in calls
        if _LOADER.match(Path(one.caller.object).name) and one.callee.object in binaries
    }
    found = sorted(others - in_lists - programs, key=lambda one: (numbers[one], one))
    first = {
        path: min((numbers.get(one, _LAST) for one in some), default=_LAST)
        for path, some in listed.items()
    }
    for path in sorted(listed, key=lambda one: (first[one], one)):
        found += listed[path]
    return found


def groups_in_order(
    places: Sequence[Place], kept: Iterable[CodePart], reach: Reach
) -> Iterator[list[CodePart]]:
    """Groups of start functions that can affect each other, each group in the order in which it
    ran."""
    known = {(one.object, one.start) for one in kept}
    every = [part for one in places if (part := reach.part_at(one)) is not None]
    begun = [one for one in every if (one.object, one.start) in known]
    effects = [reach.below([one]) for one in begun]
    for group in _groups(effects):
        if len(group) > 1:
            yield [begun[index] for index in group]


def _groups(effects: Sequence[CodeEffects]) -> list[list[int]]:
    """Groups of indexes of `effects` that depend on each other, directly or by way of others."""
    groups: list[list[int]] = []
    for index, one in enumerate(effects):
        met = [
            some
            for some in groups
            if any(_affect_each_other(one, effects[other]) for other in some)
        ]
        groups = [some for some in groups if some not in met]
        groups.append(sorted([index, *(each for some in met for each in some)]))
    return groups


def _affect_each_other(one: CodeEffects, other: CodeEffects) -> bool:
    """Whether two start functions share writable data, or both may change state in a library."""
    return bool(one.written & other.written) or (one.elsewhere and other.elsewhere)


def constructors(binary: Binary, things: DataPieces) -> list[Place]:
    """The functions that the loader calls before `main`, in the order of the file's lists."""
    return [
        (binary.path, address)
        for name in _ARRAYS
        for one in binary.sections
        if one.name == name
        for address in things.pointers(one.address, one.size)
    ]
