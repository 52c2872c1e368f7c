"""What the compiler made of the functions that ran, in sentences.

for line in sentences(code, told): print(line)
    "`Wal::append` has 1 call and 6 instructions more (61 instructions before): ..."
"""

import re
from collections.abc import Iterator, Sequence

from assay.machine_code import CallSite, Dear, FunctionCode, MachineCode
from assay.show.words import format
from assay.show.words.symbol import symbol
from assay.work import Place

_NAME = 80  # characters of a function's name; a template's can have thousands
DEAR = {
    "locked": "a locked instruction (atomic)",
    "divide": "a division or a root",
    "gather": "a gather, a load from many places",
    "serialising": "an instruction that waits for all before it",
    "reloaded": "a load of more bytes than were just stored there",
}
_TOLD = 5  # functions with a sentence of their own; the others are only counted
_DATA = "what it is given differs, or how often it is called"
_SITES = 3  # new or gone calls that are named for one function
_LOOPS = 2  # loops that are named because they lie in other cache lines than before


def sentences(code: MachineCode, told: Sequence[str] = ()) -> Iterator[str]:
    """Sentences on expensive instructions, on changed functions, then on unchanged ones.

    `told` are functions whose work changed.
    """
    if not code.same_compiler:
        yield _compilers(code)
    yield from (dear(one, code.iterations) for one in code.dear[:_TOLD])
    changed = [one for one in code.functions if not one.is_unchanged]
    for one in changed[:_TOLD]:
        yield _sentence(one, sites=code.same_compiler)
    if len(changed) > _TOLD:
        yield f"{format.count(len(changed) - _TOLD, 'other function')} that ran changed as well"
    for name in told:
        if name in code.unchanged:
            yield f"{function(name)} has the same code as before: {_DATA}"
    if code.functions:
        yield _unchanged(code)


def dear(one: Dear, iterations: int) -> str:
    """'`handle` now executes a locked instruction at a.cpp:12, 4 times an iteration more: ...'"""
    times = one.times / iterations
    number = f"{times:,.3g}" if times < 1000 else f"{times:,.0f}"
    often = "once" if times == 1 else f"{number} times"
    text = format.name(one.text, _NAME)
    return (
        f"{function(one.function)} now executes {DEAR[one.kind]}{at(one.place)}, {often} an "
        f"iteration more: `{text}` takes far longer than others"
    )


def at(place: Place) -> str:
    """Such as ' at a.cpp:12'; empty if the place is not known."""
    if not place.line:
        return ""
    return f" at {format.name(place.file.rpartition('/')[2], _NAME)}:{place.line}"


def headline(code: MachineCode) -> str:
    """A line on how many of the functions that ran changed."""
    changed = [one for one in code.functions if not one.is_unchanged]
    if not changed:
        return _unchanged(code)
    whole = format.count(len(code.functions), "function")
    return f"{len(changed)} of {whole} that ran changed"


def how(one: FunctionCode) -> str:
    """How a function differs, in a word or two for tables."""
    words = {"gone": "only in the base", "new": "only in the candidate", "unused": "not called now"}
    if one.how == "same":
        return "same, moved" if one.moved else "same"
    return words.get(one.how, one.how)


def _compilers(code: MachineCode) -> str:
    base, candidate = map(_compiler, code.compilers)
    return (
        f"built by different compilers, {base} and {candidate}: "
        "code differs everywhere, and only functions of the same name are compared"
    )


def _compiler(text: str) -> str:
    """Such as 'GCC 12.2.0' for 'GCC: (Debian 12.2.0-14+deb12u1) 12.2.0'."""
    return format.name(re.sub(r"^GCC: \(.*\) ", "GCC ", text), 60)


def _sentence(one: FunctionCode, *, sites: bool) -> str:
    """A sentence on one function. `sites`: name its calls, which two compilers make differ."""
    name, other = function(one.name), function(one.other)
    if one.how == "changed":
        return f"{name} {_change(one)}{_call_sites(one) if sites else ''}"
    if one.how == "renamed":
        alike = "the same code" if one.likeness == 1 else f"{_alike(one)} of the code is the same"
        return f"{name} was {other} in the base: {alike}"
    told = {
        "inlined": f"{name} is inlined into {other} now",
        "split off": f"{name} was part of {other} before",
        "unused": f"{name} does not run in the candidate, which has it",
        "first used": f"{name} did not run in the base, which has it",
        "gone": f"{name} is in the base only: no function that ran in the candidate has its code",
        "new": f"{name} is in the candidate only: no function that ran in the base had its code",
    }
    return told[one.how]


def _change(one: FunctionCode) -> str:
    """Such as 'has 1 call and 6 instructions more (61 instructions before)'."""
    parts = [
        (one.calls[1] - one.calls[0], "call"),
        (one.instructions[1] - one.instructions[0], "instruction"),
    ]
    before = f"({one.instructions[0]:,} instructions before)"
    more = [format.count(count, noun) for count, noun in parts if count > 0]
    fewer = [format.count(-count, noun) for count, noun in parts if count < 0]
    if not more and not fewer:
        other = format.count(one.replaced, "other instruction")
        return f"has {other}, and as many as before, {one.instructions[0]:,}"
    both = [
        f"{' and '.join(some)} {word}" for some, word in ((more, "more"), (fewer, "fewer")) if some
    ]
    return f"has {', '.join(both)} {before}"


def _call_sites(one: FunctionCode) -> str:
    new = [f"{function(site.callee)} is called at {_at(site)}" for site in one.new_calls]
    gone = [f"{function(site.callee)} was called at {_at(site)}" for site in one.gone_calls]
    told = _few(new) + _few(gone)
    return f": {', '.join(told)}" if told else ""


def _few(sites: Sequence[str]) -> list[str]:
    more = [f"{len(sites) - _SITES} more such calls"] if len(sites) > _SITES else []
    return [*sites[:_SITES], *more]


def _at(site: CallSite) -> str:
    place = site.place
    file = place.file.rpartition("/")[2]
    where = f", {format.name(file, _NAME)}:{place.line}" if place.line else ""
    return f"{site.address:#x}{where}"


def _alike(one: FunctionCode) -> str:
    return format.percent(round(one.likeness, 2))


def _unchanged(code: MachineCode) -> str:
    same = [one for one in code.functions if one.is_unchanged]
    if not same:
        return "no function that ran is unchanged"
    whole = sum(one.executed[1] for one in code.functions)
    share = (
        f", {format.percent(sum(one.executed[1] for one in same) / whole)} of what ran"
        if whole
        else ""
    )
    moved = sum(one.moved for one in same)
    elsewhere = f"; {moved} of them at another address (layout only)" if moved else ""
    elsewhere += "".join(f"; {_loop(one)}" for one in _moved_loops(same)[:_LOOPS])
    if len(same) == len(code.functions):
        return f"the same in the {format.count(len(same), 'function')} that ran{elsewhere}"
    return f"unchanged: {format.count(len(same), 'function')}{share}{elsewhere}"


def _moved_loops(same: Sequence[FunctionCode]) -> list[FunctionCode]:
    """Functions whose hottest loop takes more or fewer cache lines or windows, hottest first."""
    moved = [one for one in same if one.loops and one.loops[0][1:] != one.loops[1][1:]]
    return sorted(moved, key=lambda one: -one.executed[1])


def _loop(one: FunctionCode) -> str:
    """'the hottest loop of `walk` (46 bytes) lies in 2 lines of 64 bytes, 1 before'"""
    assert one.loops is not None
    before, now = one.loops
    what = f"the hottest loop of {function(one.name)} ({now.size} bytes) lies in"
    if before.lines != now.lines:
        return f"{what} {format.count(now.lines, 'line')} of 64 bytes, {before.lines} before"
    return f"{what} {format.count(now.windows, 'window')} of 32 bytes, {before.windows} before"


def function(name: str) -> str:
    """A function's name as it appears within a sentence."""
    return f"`{symbol(name, _NAME)}`"
