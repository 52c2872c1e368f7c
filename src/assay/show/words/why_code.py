"""What the compiler made of the functions that ran, in sentences.

sentence(stage.lines[0])
    "`Wal::append` has 1 call and 6 instructions more (61 instructions before): ..."
"""

import re
from collections.abc import Iterator

from assay.findings import ELSEWHERE, Cause, Claim, WhyFinding
from assay.show.words import format
from assay.show.words.why_amounts import LONGEST, function, place_text

DEAR = {
    "locked": "a locked instruction (atomic)",
    "divide": "a division or a root",
    "gather": "a gather, a load from many places",
    "serialising": "an instruction that waits for all before it",
    "reloaded": "a load of more bytes than were just stored there",
}
_DATA = "what it is given differs, or how often it is called"
_HOW = {
    "inlined": "{name} is inlined into {other} now",
    "split off": "{name} was part of {other} before",
    "unused": "{name} does not run in the candidate, which has it",
    "first used": "{name} did not run in the base, which has it",
    "gone": "{name} is in the base only: no function that ran in the candidate has its code",
    "new": "{name} is in the candidate only: no function that ran in the base had its code",
}


def sentence(one: WhyFinding) -> str:
    """One sentence on the machine code of a function, or of several functions together."""
    if one.claim is Claim.COMPILERS:
        return (
            f"built by different compilers, {_compiler(one.subject)} and {_compiler(one.other)}: "
            "code differs everywhere, and only functions of the same name are compared"
        )
    if one.claim is Claim.DEAR:
        return _sentence_on_costly_instruction(one)
    if one.claim is Claim.REST:
        return f"{format.count(one.others, 'other function')} that ran changed as well"
    if one.claim is Claim.SAME:
        return f"{function(one.subject)} has the same code as before: {_DATA}"
    return _unchanged_functions(one) if one.claim is Claim.UNCHANGED else _function(one)


def head(one: WhyFinding) -> str:
    """How many of the functions that ran have changed machine code, in one line."""
    if one.claim is Claim.UNCHANGED:
        return _unchanged_functions(one)
    (changed,) = one.amounts
    return f"{changed.amount} of {format.count(int(changed.base), 'function')} that ran changed"


def difference_in_words(one: WhyFinding) -> str:
    """How a function differs, in a word or two for tables."""
    words = {"gone": "only in the base", "new": "only in the candidate", "unused": "not called now"}
    return words.get(one.how, one.how)


def _sentence_on_costly_instruction(one: WhyFinding) -> str:
    """An expensive instruction that is new: '`handle` now executes a locked instruction at
    a.cpp:12, 4 times an iteration more: ...'
    """
    if one.others:
        others = format.count(one.others, "other function")
        return f"{others} now {'executes' if one.others == 1 else 'execute'} such instructions"
    (cause,), times = one.causes, float(one.amounts[0].more_per_iteration)
    number = f"{times:.3g}" if times < 999.5 else f"{times:,.0f}"
    often = "once" if times == 1 else f"{number} times"
    return (
        f"{function(one.subject)} now executes {DEAR[cause.kind]}{place_text(cause.place)}, "
        f"{often} an iteration more: `{format.name(cause.callee, LONGEST)}` "
        "takes far longer than others"
    )


def _compiler(text: str) -> str:
    """A compiler in short: 'GCC 12.2.0' for 'GCC: (Debian 12.2.0-14+deb12u1) 12.2.0'."""
    return format.name(re.sub(r"^GCC: \(.*\) ", "GCC ", text), 60)


def _function(one: WhyFinding) -> str:
    name, other = function(one.subject), function(one.other)
    if one.how == "changed":
        sites = ", ".join(map(_call_site_in_words, one.causes))
        return f"{name} {_change(one)}{f': {sites}' if sites else ''}"
    if one.how == "renamed":
        alike = format.percent(round(one.share or 0.0, 2))
        same = "the same code" if one.share == 1 else f"{alike} of the code is the same"
        return f"{name} was {other} in the base: {same}"
    return _HOW[one.how].format(name=name, other=other)


def _change(one: WhyFinding) -> str:
    """How a function's code differs: 'has 1 call and 6 instructions more
    (61 instructions before)'.
    """
    calls, instructions, replaced = one.amounts
    both = [(int(part.amount), part.unit) for part in (calls, instructions)]
    more = [format.count(count, unit) for count, unit in both if count > 0]
    fewer = [format.count(-count, unit) for count, unit in both if count < 0]
    if not more and not fewer:
        other = format.count(int(replaced.amount), replaced.unit)
        return f"has {other}, and as many as before, {instructions.base:,}"
    said = [
        f"{' and '.join(some)} {word}" for some, word in ((more, "more"), (fewer, "fewer")) if some
    ]
    return f"has {', '.join(said)} ({instructions.base:,} instructions before)"


def _call_site_in_words(one: Cause) -> str:
    if one.kind == ELSEWHERE:
        return f"{one.amounts[0].amount} more such calls"
    place = place_text(one.place).replace(" at ", ", ", 1)
    called = "is called" if one.kind == "new" else "was called"
    return f"{function(one.callee)} {called} at {one.address:#x}{place}"


def _unchanged_functions(one: WhyFinding) -> str:
    same, moved = one.amounts
    if not same.amount:
        return "no function that ran is unchanged"
    elsewhere = "".join(_sentences_on_layout(one, int(moved.amount)))
    functions = format.count(int(same.amount), "function")
    if same.amount == same.base:
        return f"the same in the {functions} that ran{elsewhere}"
    share = "" if one.share is None else f", {format.percent(one.share)} of what ran"
    return f"unchanged: {functions}{share}{elsewhere}"


def _sentences_on_layout(one: WhyFinding, moved: int) -> Iterator[str]:
    if moved:
        yield f"; {moved} of them at another address (layout only)"
    for loop in one.causes:
        yield f"; {_sentence_on_loop(loop)}"


def _sentence_on_loop(one: Cause) -> str:
    """On code placement: 'the hottest loop of `walk` (46 bytes) lies in 2
    lines of 64 bytes, 1 before'
    """
    size, lies = one.amounts
    noun, of = lies.unit.split(" ", 1)
    lines = f"{format.count(int(lies.candidate_value), noun)} {of}"
    return (
        f"the hottest loop of {function(one.callee)} ({size.candidate_value} bytes) "
        f"lies in {lines}, {lies.base} before"
    )
