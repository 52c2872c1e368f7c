"""Code that starts a program and has no part in what its benchmarks do.

    parts = without_starts(parts, things)

A benchmark that is added makes another registration run before all others. Code that the compiler
made to set up what is global counts only where it can reach a benchmark: when it calls a function
of the user's, or refers to data that may be written to and that other code refers to as well. What
the C library's start files bring along never does.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from assay.measure.profile.identity.data import Things
from assay.measure.profile.identity.normal_form import NormalInstruction

ENGINE = re.compile(r"_ZN?K?(?:S\w*I)?N?K?9benchmark(?!.*LambdaBenchmark)")
_LIBRARY = re.compile(r"_ZN?K?S|_ZN?K?9__gnu_cxx|_Zn|_Zd")  # std::, operator new and delete
_GLOBALS = re.compile(r"_GLOBAL__sub_I|_Z41__static_initialization_and_destruction|__cxx_global_")
_OF_C = frozenset(
    {
        *("_start", "_init", "_fini", "_dl_relocate_static_pie", "__libc_csu_init"),
        *("register_tm_clones", "deregister_tm_clones", "frame_dummy", "__do_global_dtors_aux"),
    }
)


class Part(NamedTuple):
    """Instructions that were executed one after the other, without a gap."""

    object: str
    start: int
    instructions: tuple[NormalInstruction, ...]
    name: str  # of the function; empty: not known
    in_loop: bool


def without_starts(parts: Sequence[Part], things: Mapping[str, Things]) -> list[Part]:
    """Those that can make a difference to a benchmark."""
    others = [one for one in parts if not is_start(one)]
    users = _users(others)
    known = {thing for one in others for thing in _written(one, things)}
    starts: dict[tuple[str, str], list[Part]] = defaultdict(list)
    for one in parts:
        if is_start(one) and one.name not in _OF_C:
            starts[one.object, one.name].append(one)
    for some in starts.values():
        if any(_calls(one) & users or _written(one, things) & known for one in some):
            others += some
    return others


def may_meet(part: Part, parts: Sequence[Part], things: Mapping[str, Things]) -> bool:
    """Whether it calls a function of the user's, or refers to data that another start does.

    Then it makes a difference which of them is first.
    """
    if _calls(part) & _users([one for one in parts if not is_start(one)]):
        return True
    ours = _written(part, things)
    others = (one for one in parts if is_start(one) and one.name != part.name)
    return any(_written(one, things) & ours for one in others)


def _users(parts: Sequence[Part]) -> set[tuple[str, int]]:
    """Instructions of the user's functions."""
    return {
        (one.object, instruction.address)
        for one in parts
        if not (ENGINE.match(one.name) or _LIBRARY.match(one.name))
        for instruction in one.instructions
    }


def is_start(part: Part) -> bool:
    """Whether the compiler or the C library made it, to be run before `main`."""
    is_one = part.name in _OF_C or _GLOBALS.match(part.name)
    return bool(is_one) and not part.in_loop


def _calls(part: Part) -> set[tuple[str, int]]:
    """Code outside of itself that it calls or jumps to, or whose address it takes and calls."""
    return {
        (part.object, to.address)
        for one in part.instructions
        if one.text.startswith(("call", "jmp", "bnd"))
        for to in one.refers
        if to.kind == "code"
    }


def _written(part: Part, things: Mapping[str, Things]) -> set[tuple[str, int]]:
    """Data that it refers to and that may be written to."""
    found = set()
    for one in part.instructions:
        for to in one.refers:
            if to.kind == "data" and things[part.object].is_written(to.address):
                thing = things[part.object].at(to.address, to.width)
                found.add((part.object, thing.start))
    return found
