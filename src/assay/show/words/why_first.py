"""The first sentence of an answer, for the author of the change.

sentence(found.first)     "17 % slower: `enter` now calls `memmove` at vm.cpp:112 [15, 19]"

It says how much, then names the function that explains most, and what that does now. Numbers of
instructions and points follow below it.
"""

import re
from fractions import Fraction

from assay.findings import Cause, Claim, Difference, StageName, WhyFinding
from assay.show.words import why_code
from assay.show.words.why_amounts import function, place_text
from assay.timed import WAITING

_COPIES = re.compile(r"(?:.*::)?(\w+)(?:<.*>)?::\1\((?:\w+::)*\1(?:<.*>)? const&\)")
_TWICE = 2  # changes from this factor on are written as a factor, smaller ones in percent


def sentence(one: WhyFinding | None) -> str:
    """The first sentence on a benchmark: by how much it changed, and why.

    Empty if nothing explains it.
    """
    if one is None:
        return ""
    if not one.amounts:
        return f"as many instructions as before, but dearer ones: {_cause(one, 'more')}"
    (whole,) = one.amounts
    cause = _cause(one, "more" if whole.amount > 0 else "less")
    if one.stage is StageName.WORK:
        factor = float((whole.base + whole.amount) / whole.base)
        return f"{times(factor, ('more', 'fewer'), 'as many')} instructions: {cause}"
    how_much = times(_factor(whole, whole.amount), ("slower", "faster"), "as long")
    return f"{how_much}: {cause}{_interval(whole)}"


def times(factor: float, words: tuple[str, str], as_much: str) -> str:
    """Such as '17 % slower', or '3.4 times as long': above twice, percent are hard to picture."""
    if factor >= _TWICE:
        number = f"{factor:.1f}" if factor < 100 else f"{factor:,.0f}"
        return f"{number} times {as_much}"
    percent = abs(100 * (factor - 1))
    return f"{_percent_text(percent)} % {words[0] if factor > 1 else words[1]}"


def _factor(whole: Difference, amount: int | Fraction) -> float:
    return 1 + float(amount / max(1, whole.base))


def _interval(whole: Difference) -> str:
    assert whole.low is not None
    assert whole.high is not None
    ends = _factor(whole, whole.low), _factor(whole, whole.high)
    if min(ends[1], _factor(whole, whole.amount)) >= _TWICE:
        return f" [{ends[0]:.1f}, {ends[1]:.1f}]"
    low, high = sorted(abs(100 * (end - 1)) for end in ends)
    return f" [{_percent_text(low)}, {_percent_text(high)}]"


def _percent_text(percent: float) -> str:
    return f"{percent:.0f}" if percent >= 9.95 else f"{percent:.2g}"


def _cause(one: WhyFinding, word: str) -> str:
    if one.subject == WAITING:
        return "it waits, on no CPU"
    name = function(one.subject)
    if one.claim is Claim.LAYOUT:
        return f"{name} takes {word} for the same instructions"
    for cause in one.causes:
        if one.claim is Claim.DEAR:
            return f"{name} now executes {why_code.DEAR[cause.kind]}{place_text(cause.place)}"
        return f"{name} {_reason_in_words(cause, word)}"
    return name


def _reason_in_words(why: Cause, word: str) -> str:
    place, callee = place_text(why.place), function(why.callee)
    if why.kind == "itself":
        return f"does {word}{place}"
    if why.kind == "outside":
        return f"is called {word} often from outside the code measured"
    if why.kind == "inlined":
        return f"does {word} of {callee}, inlined{place}"
    what = _verb_phrase(why, callee)
    if why.calls is None or not why.calls.amount:
        return f"spends {word} in {callee}, called{place}"
    before, now = why.calls.base_value, why.calls.candidate_value
    if not before or not now:
        return f"{'no longer' if before else 'now'} {what}{place}"
    return f"{what} {times(float(now / before), ('more often', 'less often'), 'as often')}{place}"


def _verb_phrase(why: Cause, callee: str) -> str:
    if why.allocates:
        return "allocates"
    copied = _COPIES.fullmatch(why.callee)
    return f"copies a `{copied[1]}`" if copied else f"calls {callee}"
