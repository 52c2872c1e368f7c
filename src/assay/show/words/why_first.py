"""The first sentence of an answer, for the author of the change.

sentence(found)     "17 % slower: `enter` now calls `memmove` at vm.cpp:112 [15, 19]"

It says how much, then names the function that explains most, and what that does now. Numbers of
instructions and points follow below it.
"""

import re

from assay.explained import Explained, FunctionPart
from assay.machine_code import MachineCode
from assay.show.words import format, why_code
from assay.show.words.symbol import symbol
from assay.timed import OTHERS, WAITING, Timed
from assay.work import Place, Why

_NAME = 80  # characters of a function's name
_ALLOCATES = re.compile(r"(operator new|malloc|calloc|realloc|aligned_alloc|posix_memalign)\b")
_COPIES = re.compile(r"(?:.*::)?(\w+)(?:<.*>)?::\1\((?:\w+::)*\1(?:<.*>)? const&\)")
_TWICE = 2  # from this factor on, times are told instead of percent
_HALF = 2  # an allocation at least 1/2 as large as the largest reason is told: it says more


def sentence(found: Explained) -> str:
    """The first sentence; empty if no function changed in the direction of the benchmark."""
    how_much, interval, sign = _whole(found)
    if found.code is not None and found.code.dear and _is_of_code(found, sign):
        return _of_code(found.code, how_much, interval)
    by_time = _is_timed(found)
    named = next((one for one in found.answer() if _sign(one, by_time=by_time) == sign), None)
    if not how_much or named is None or named.function == OTHERS:
        return ""
    return f"{how_much}: {_cause(named, sign)}{interval}"


def _is_of_code(found: Explained, sign: int) -> bool:
    """Whether expensive instructions explain the change, because no function does more work."""
    if found.work is None:
        return False
    if not _is_timed(found):
        return not found.work.told
    return sign > 0 and not any(part.work and part.work.amount > 0 for part in found.answer())


def _is_timed(found: Explained) -> bool:
    return found.time is not None and found.time.whole.is_change


def _of_code(code: MachineCode, how_much: str, interval: str) -> str:
    one = code.dear[0]
    how = how_much or "as many instructions as before, but dearer ones"
    executes = f"now executes {why_code.DEAR[one.kind]}{why_code.at(one.place)}"
    return f"{how}: {why_code.function(one.function)} {executes}{interval}"


def _whole(found: Explained) -> tuple[str, str, int]:
    """How much a benchmark changed, with interval and direction (1, -1; 0: it did not change)."""
    if found.time is not None and found.time.whole.is_change:
        return _of_time(found.time)
    if found.work is not None and found.work.loop.whole:
        loop = found.work.loop
        sign = 1 if loop.whole > 0 else -1
        if not loop.base or not found.work.told:
            return "", "", sign
        said = times(loop.candidate / loop.base, ("more", "fewer"), "as many")
        return f"{said} instructions", "", sign
    return "", "", 0


def _of_time(time: Timed) -> tuple[str, str, int]:
    whole, base = time.whole, max(1, time.base)
    factor = 1 + whole.amount / base
    said = times(factor, ("slower", "faster"), "as long")
    sign = 1 if whole.amount > 0 else -1
    assert whole.low is not None
    assert whole.high is not None
    ends = (1 + whole.low / base, 1 + whole.high / base)
    if ends[1] >= _TWICE and factor >= _TWICE:
        return said, f" [{ends[0]:.1f}, {ends[1]:.1f}]", sign
    low, high = sorted(abs(100 * (end - 1)) for end in ends)
    return said, f" [{_number(low)}, {_number(high)}]", sign


def times(factor: float, words: tuple[str, str], as_much: str) -> str:
    """Such as '17 % slower', or '3.4 times as long': above twice, percent are hard to picture."""
    if factor >= _TWICE:
        number = f"{factor:.1f}" if factor < 100 else f"{factor:,.0f}"
        return f"{number} times {as_much}"
    percent = abs(100 * (factor - 1))
    return f"{_number(percent)} % {words[0] if factor > 1 else words[1]}"


def _number(percent: float) -> str:
    return f"{percent:.0f}" if percent >= 9.95 else f"{percent:.2g}"


def _sign(part: FunctionPart, *, by_time: bool) -> int:
    """The direction (1, -1 or 0) in which a function's time or instructions changed."""
    work = part.work.amount if part.work else 0
    amount = part.time.change.amount if part.time and by_time else work
    return (amount > 0) - (amount < 0)


def _cause(part: FunctionPart, sign: int) -> str:
    if part.function == WAITING:
        return "it waits, on no CPU"
    name = f"`{symbol(part.function, _NAME)}`"
    reasons = [why for why in part.work.reasons if why.amount * sign > 0] if part.work else []
    if not reasons:
        same = part.time is not None and part.time.same_work
        return f"{name} takes {_word(sign)} for the same instructions" if same else name
    return f"{name} {_does(_telling(reasons), sign)}"


def _telling(reasons: list[Why]) -> Why:
    """The largest reason, or an allocation that is nearly as large."""
    largest = max(reasons, key=lambda why: abs(why.amount))
    allocates = [why for why in reasons if _ALLOCATES.match(why.callee)]
    worth = [why for why in allocates if _HALF * abs(why.amount) >= abs(largest.amount)]
    return max(worth, key=lambda why: abs(why.amount), default=largest)


def _does(why: Why, sign: int) -> str:
    at = _at(why.place)
    if why.kind == "itself":
        return f"does {_word(sign)}{at}"
    if why.kind == "outside":
        return f"is called {_word(sign)} often from outside the code measured"
    callee = f"`{symbol(why.callee, _NAME)}`"
    if why.kind == "inlined":
        return f"does {_word(sign)} of {callee}, inlined{at}"
    before, now = why.counts
    what = _action(why.callee, callee)
    if not before and now:
        return f"now {what}{at}"
    if before and not now:
        return f"no longer {what}{at}"
    if before == now:
        return f"spends {_word(sign)} in {callee}, called{at}"
    return f"{what} {times(float(now / before), ('more often', 'less often'), 'as often')}{at}"


def _action(name: str, callee: str) -> str:
    if _ALLOCATES.match(name):
        return "allocates"
    copied = _COPIES.fullmatch(name)
    return f"copies a `{copied[1]}`" if copied else f"calls {callee}"


def _word(sign: int) -> str:
    return "more" if sign > 0 else "less"


def _at(place: Place) -> str:
    if not place.line:
        return ""
    return f" at {format.name(place.file.rpartition('/')[2], _NAME)}:{place.line}"
