"""In which order what runs before `main` ran, as far as that can make a difference.

    for one in orders(entries(binaries, calls), reach): ...     parts that must follow each other so

A linker calls the constructors of files in the order in which these are linked, of one file by
their priorities, and a loader those of libraries in the order in which they need each other.
Where two refer to the same data or both change what a library keeps, another order may leave
something else behind. Where they cannot meet, their order says nothing, and any is the same.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from assay.measure.profile.exact.callgrind_file import Called
from assay.measure.profile.identity.data import Things
from assay.measure.profile.identity.effects import Effects, Place, Reach
from assay.measure.profile.identity.part import Part
from assay.measure.profile.program.binary import Binary

_ARRAYS = (".preinit_array", ".init_array")
_LOADER = re.compile(r"ld-linux|ld-\d|ld\.so")
_LAST = 1 << 62


def entries(
    binaries: Mapping[str, Binary], things: Mapping[str, Things], calls: Sequence[Called]
) -> list[Place]:
    """Where code began that nobody of the program's called: in the order in which it ran.

    What the loader calls that stands in no list (resolvers of a function's variants) comes first.
    Callgrind counts functions as they are first executed, which tells the order of libraries.
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


def orders(places: Sequence[Place], kept: Iterable[Part], reach: Reach) -> Iterator[list[Part]]:
    """Groups of those that may meet, each in its order."""
    known = {(one.object, one.start) for one in kept}
    every = [part for one in places if (part := reach.part_at(one)) is not None]
    begun = [one for one in every if (one.object, one.start) in known]
    effects = [reach.below([one]) for one in begun]
    for group in _groups(effects):
        if len(group) > 1:
            yield [begun[index] for index in group]


def _groups(effects: Sequence[Effects]) -> list[list[int]]:
    """Those that meet, directly or by way of others."""
    groups: list[list[int]] = []
    for index, one in enumerate(effects):
        met = [some for some in groups if any(_meet(one, effects[other]) for other in some)]
        groups = [some for some in groups if some not in met]
        groups.append(sorted([index, *(each for some in met for each in some)]))
    return groups


def _meet(one: Effects, other: Effects) -> bool:
    return bool(one.written & other.written) or (one.elsewhere and other.elsewhere)


def constructors(binary: Binary, things: Things) -> list[Place]:
    """What the file asks the loader to call before `main`, in this order."""
    return [
        (binary.path, address)
        for name in _ARRAYS
        for one in binary.sections
        if one.name == name
        for address in things.pointers(one.address, one.size)
    ]
