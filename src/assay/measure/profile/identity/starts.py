"""Code that starts a program and has no part in what its benchmarks do.

    kept = without_starts(parts, reach, constructors, called_later)

A benchmark that is added makes another registration run before all others. Code that the compiler
made to set up what is global, and the functions that such code alone calls, count only where they
can reach a benchmark: see `counts`. What the C library's start files bring along never does.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from assay.measure.profile.identity.effects import Datum, Effects, Place, Reach
from assay.measure.profile.identity.part import Part

_GLOBALS = re.compile(r"_GLOBAL__sub_I|_Z41__static_initialization_and_destruction|__cxx_global_")
_OF_C = frozenset(
    {
        *("_start", "_init", "_fini", "_dl_relocate_static_pie", "__libc_csu_init"),
        *("register_tm_clones", "deregister_tm_clones", "frame_dummy", "__do_global_dtors_aux"),
    }
)


def without_starts(
    parts: Sequence[Part],
    reach: Reach,
    constructors: Collection[Place],
    called_later: Collection[Place],
) -> list[Part]:
    """Those that can make a difference to a benchmark.

    A start counts as well when it shares data with one that counts: that one may read them.
    `constructors`: where the loader was asked to begin; `called_later`: functions that were called
    after the first loop began.
    """
    begun = {_function(one) for place in constructors if (one := reach.part_at(place))}
    starts = {one for one in begun if not reach.is_called(one)}
    starts.update(_function(one) for one in parts if is_start(one) and one.name not in _OF_C)
    # Nothing of it runs for a benchmark. In a static program `_start` leads to `main` as well, so
    # that what the C library's start files call is none of it.
    before = set(starts) | reach.alone(starts, called_later)
    before.update(_function(one) for one in parts if one.name in _OF_C)
    kept = {_place(one): one for one in parts if _function(one) not in before or one.in_loop}
    known = reach.written(kept.values())
    waiting = _by_function(one for one in parts if _function(one) in starts and not one.in_loop)
    below = {key: reach.below(some) for key, some in waiting.items()}
    waits = {key for key in waiting if not counts(reach, below[key], known, before)}
    found = waiting.keys() - waits
    while found:
        for key in found:
            kept |= {_place(one): one for one in below[key].parts}
            known |= below[key].written
        found = {key for key in waits if below[key].written & known}
        waits -= found
    return [one for one in parts if _place(one) in kept]


def _by_function(starts: Iterable[Part]) -> dict[Place, list[Part]]:
    found: dict[Place, list[Part]] = defaultdict(list)
    for one in starts:
        found[_function(one)].append(one)
    return found


def counts(
    reach: Reach, below: Effects, known: frozenset[Datum], before: Collection[Place]
) -> bool:
    """Whether a start may do more than register benchmarks, or set up what none of them uses.

    It calls a function of the system that may keep something; it makes an object whose methods
    the benchmark calls; it lets a function of the user's hand something to the engine; or it can
    get at data that other code gets at. All that it allocates can be found through such data only.
    """
    makes = reach.makes_objects(below.parts, before)
    return below.elsewhere or below.registers or makes or bool(below.written & known)


def _place(part: Part) -> Place:
    return part.object, part.start


def _function(part: Part) -> Place:
    return part.object, part.function


def is_start(part: Part) -> bool:
    """Whether the compiler or the C library made it, to be run before `main`."""
    is_one = part.name in _OF_C or _GLOBALS.match(part.name)
    return bool(is_one) and not part.in_loop
