"""Leaves out code that starts a program and has no part in what a benchmark does.

    kept = without_start_code(parts, reach, constructors, called_later)

One benchmark more means one registration more that runs before all others. Code that the compiler
made to set up globals, and functions called by such code alone, count only where they can affect
a benchmark: see `may_affect_benchmarks`. The C library's start files never count.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from assay.measure.profile.identity.effects import CodeEffects, Datum, Place, Reach
from assay.measure.profile.identity.part import CodePart

# Code that the compiler made to set up globals.
_GLOBALS = re.compile(r"_GLOBAL__sub_I|_Z41__static_initialization_and_destruction|__cxx_global_")
_OF_C = frozenset(  # functions of the C library's start files
    {
        *("_start", "_init", "_fini", "_dl_relocate_static_pie", "__libc_csu_init"),
        *("register_tm_clones", "deregister_tm_clones", "frame_dummy", "__do_global_dtors_aux"),
    }
)


def without_start_code(
    parts: Sequence[CodePart],
    reach: Reach,
    constructors: Collection[Place],
    called_later: Collection[Place],
) -> list[CodePart]:
    """The parts of code that can make a difference to a benchmark.

    Start code also counts if it shares data with a part that counts, because that may read it.
    `constructors` is where the loader was asked to begin; `called_later` are the functions that
    were called after the first loop began.
    """
    begun = {_function(one) for place in constructors if (one := reach.part_at(place))}
    starts = {one for one in begun if not reach.is_called(one)}
    starts.update(_function(one) for one in parts if is_start_code(one) and one.name not in _OF_C)
    # None of these run for a benchmark. The start files are added after `called_only_by`:
    # in a static program `_start` leads to `main`, so what they call cannot be left out.
    before = set(starts) | reach.called_only_by(starts, called_later)
    before.update(_function(one) for one in parts if one.name in _OF_C)
    kept = {_place(one): one for one in parts if _function(one) not in before or one.in_loop}
    known = reach.written(kept.values())
    waiting = _by_function(one for one in parts if _function(one) in starts and not one.in_loop)
    below = {key: reach.below(some) for key, some in waiting.items()}
    waits = {key for key in waiting if not may_affect_benchmarks(reach, below[key], known, before)}
    found = waiting.keys() - waits
    while found:
        for key in found:
            kept |= {_place(one): one for one in below[key].parts}
            known |= below[key].written
        found = {key for key in waits if below[key].written & known}
        waits -= found
    return [one for one in parts if _place(one) in kept]


def _by_function(starts: Iterable[CodePart]) -> dict[Place, list[CodePart]]:
    """The parts of each function."""
    found: dict[Place, list[CodePart]] = defaultdict(list)
    for one in starts:
        found[_function(one)].append(one)
    return found


def may_affect_benchmarks(
    reach: Reach, below: CodeEffects, known: frozenset[Datum], before: Collection[Place]
) -> bool:
    """Whether start code may do more than register benchmarks or set up what no benchmark uses.

    It does if it calls a function of the system that may keep state, makes an object whose methods
    the benchmark calls, makes a user's function hand something to the engine, or shares writable
    data with other code. What it allocates can be found only through such data.
    """
    makes = reach.makes_objects(below.parts, before)
    return below.elsewhere or below.registers or makes or bool(below.written & known)


def _place(part: CodePart) -> Place:
    return part.object, part.start


def _function(part: CodePart) -> Place:
    return part.object, part.function


def is_start_code(part: CodePart) -> bool:
    """Whether the compiler or the C library made this code to run before `main`."""
    is_one = part.name in _OF_C or _GLOBALS.match(part.name)
    return bool(is_one) and not part.in_loop
