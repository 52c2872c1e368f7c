"""Code that starts a program and has no part in what its benchmarks do.

    kept = without_starts(parts, effects)

A benchmark that is added makes another registration run before all others. Code that the compiler
made to set up what is global counts only where it can reach a benchmark: see `counts`. What the C
library's start files bring along never does.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from assay.measure.profile.identity.effects import Effects, Reach
from assay.measure.profile.identity.part import ENGINE, Part

_LIBRARY = re.compile(r"_ZN?K?S|_ZN?K?9__gnu_cxx|_Zn|_Zd")  # std::, operator new and delete
_GLOBALS = re.compile(r"_GLOBAL__sub_I|_Z41__static_initialization_and_destruction|__cxx_global_")
_OF_C = frozenset(
    {
        *("_start", "_init", "_fini", "_dl_relocate_static_pie", "__libc_csu_init"),
        *("register_tm_clones", "deregister_tm_clones", "frame_dummy", "__do_global_dtors_aux"),
    }
)


def without_starts(parts: Sequence[Part], reach: Reach) -> list[Part]:
    """Those that can make a difference to a benchmark.

    A start counts as well when it shares data with one that counts: that one may read them.
    """
    kept = [one for one in parts if not is_start(one)]
    known = reach.written(kept)
    waiting: dict[tuple[str, int], list[Part]] = defaultdict(list)
    for one in parts:
        if is_start(one) and one.name not in _OF_C:
            waiting[one.object, one.function].append(one)
    below = {key: reach.below(some) for key, some in waiting.items()}
    while found := [key for key in waiting if counts(below[key], known)]:
        for key in found:
            kept += waiting.pop(key)
            known |= below[key].written
    return kept


def counts(below: Effects, known: frozenset[str | tuple[str, int]]) -> bool:
    """Whether a start may do more than register benchmarks.

    It calls a function of the user's, or one of the system that may keep something; it makes an
    object whose methods the benchmark calls; or it refers to data that other code refers to.
    """
    calls = any(is_users(name) for name in below.functions)
    return calls or below.elsewhere or below.makes_objects or bool(below.written & known)


def is_users(name: str) -> bool:
    """Whether a function is the user's own: not the engine's, a library's or a start."""
    kinds = (ENGINE, _LIBRARY, _GLOBALS)
    return name not in _OF_C and not any(kind.match(name) for kind in kinds)


def is_start(part: Part) -> bool:
    """Whether the compiler or the C library made it, to be run before `main`."""
    is_one = part.name in _OF_C or _GLOBALS.match(part.name)
    return bool(is_one) and not part.in_loop
