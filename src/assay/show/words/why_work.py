"""Why a benchmark does more, in sentences.

head(stage.head)        "812 more instructions an iteration (+31 %), 2,600 before"
sentence(one)           "`Wal::append` does 812 more instructions an iteration (+31 %): ..."
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec.structs import replace

from assay.findings import ELSEWHERE, Cause, Claim, Difference, WhyFinding
from assay.show.words import format
from assay.show.words.why_amounts import (
    AN_ITERATION,
    amount,
    count_text,
    function,
    more_or_less,
    place_text,
    unnamed_functions,
)

_OUTSIDE = "before or after the loop"
_SAME = {
    Claim.SAME: "nothing: {}",
    Claim.OTHER_TIME: "the same work in another time: {}",
    Claim.OTHER_MISSES: "{}, but not the same misses",
}
_SIMULATED = {
    "first": "misses the first cache",
    "last": "misses the last cache",
    "branches": "mispredicts branches",
}
_MOVED = {
    "renamed": "{name} is called {other} now",
    "inlined": "{name} is inlined into {other} now",
    "called": "{name} is no longer inlined",
    "passed": "{other} does now what {name} did",
    "split off": "{name} was part of its caller before",
    "put into its caller": "{name} is part of its caller now",
}


def head(one: WhyFinding) -> str:
    """By how many instructions an iteration of the loop differs as a whole, in one sentence."""
    (whole,) = one.amounts
    base = amount(whole.base_value)
    if one.claim in _SAME:
        return _SAME[one.claim].format(f"{base} instructions {AN_ITERATION} on both sides")
    said = f"{more_or_less(whole)} {AN_ITERATION} ({_percent(whole)})"
    return f"nothing worth naming: {said}" if one.claim is Claim.SMALL else f"{said}, {base} before"


def sentence(one: WhyFinding) -> str:
    """How many more instructions a function executes, and where; or all functions without a
    sentence of their own together.
    """
    (found,) = one.amounts
    if one.claim is Claim.REST:
        return f"{unnamed_functions(one.others)} together: {more_or_less(found)}"
    does = f"{function(one.subject)} does {more_or_less(found)} {AN_ITERATION}"
    if one.claim is Claim.UNNAMED:
        return (
            f"not named: {does}{_causes(one)}, in the same calls as before: where data lies in "
            "memory can do that"
        )
    return f"{does} ({_percent(found)}){_causes(one)}"


def lines(some: Sequence[WhyFinding], most: int | None) -> Iterator[str]:
    """Sentences on what explains no instruction of the loop: cache misses, work that moved between
    functions (at most `most` of them), and set-up.
    """
    yield from (_sentence_on_misses(one) for one in some if one.claim is Claim.MISSES)
    yield from _moved_in_words([one for one in some if one.claim is Claim.MOVED], most)
    yield from (_sentence_on_setup(one) for one in some if one.claim is Claim.SETUP)


def _sentence_on_misses(one: WhyFinding) -> str:
    """How many more or fewer misses (of caches or branch prediction) a simulated
    processor has in a function.
    """
    (found,) = one.amounts
    times = more_or_less(replace(found, unit="time"))
    if one.others:
        where = f"in {format.count(one.others, 'other function')} together"
        return f"simulated: {where}, it {_SIMULATED[found.unit]} {times} {AN_ITERATION}"
    what = f"{function(one.subject)} {_SIMULATED[found.unit]}"
    return f"simulated: {what} {times} {AN_ITERATION} ({_percent(found)}){_causes(one)}"


def _moved_in_words(some: Sequence[WhyFinding], most: int | None) -> Iterator[str]:
    """Sentences on work that moved from one function to another, unless both names read alike."""
    told = [one for one in some if function(one.subject) != function(one.other)]
    for one in told[:most]:
        other = function(one.other) if one.other else ""
        how = _MOVED[one.how].format(name=function(one.subject), other=other)
        yield f"{how}: {_moved_amount(one.amounts[0].more_per_iteration)}"
    if rest := told[len(told[:most]) :]:
        functions = format.count(len(rest), "more function")
        amounts = sum((one.amounts[0].more_per_iteration for one in rest), Fraction(0))
        yield f"{functions} renamed or inlined otherwise than before: {_moved_amount(amounts)}"


def _moved_amount(number: Fraction) -> str:
    return f"{amount(number)} instructions moved, which makes nothing slower"


def _sentence_on_setup(one: WhyFinding) -> str:
    """A sentence on set-up that changed outside the loop, where time is not measured."""
    does = f"{function(one.subject)} does {more_or_less(one.amounts[0])} {_OUTSIDE}"
    return f"set-up: {does}{_causes(one)}; this is not part of the time measured"


def _causes(one: WhyFinding) -> str:
    if len(one.causes) == 1:
        return f", all {_cause(one.causes[0])}"
    told = [f"{_signed(each.amounts[0].more_per_iteration)} {_cause(each)}" for each in one.causes]
    return f": {', '.join(told)}" if told else ""


def _cause(one: Cause) -> str:
    callee, place, calls = function(one.callee), place_text(one.place), one.calls
    times = (
        f" ({count_text(calls.base_value, 'call')} before, {amount(calls.candidate_value)} now)"
        if calls
        else ""
    )
    told = {
        "itself": f"in its own code{place}",
        "library": f"from {callee} called{place}{times if calls and calls.amount else ''}",
        "inlined": f"from {callee}, inlined{place}",
        "calls": f"from calls of {callee}{place}{times}",
        "moved": f"in {callee}, whose work it does now",
        ELSEWHERE: "elsewhere",
    }
    return told.get(one.kind, "because it is called from outside the code measured")


def _signed(number: Fraction) -> str:
    return f"{'+' if number > 0 else '-'}{amount(abs(number))}"


def _percent(one: Difference) -> str:
    return "from nothing" if one.share is None else format.change(float(one.share))
