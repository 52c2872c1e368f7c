"""What changed in memory and in system calls, in sentences.

head(stage.head)        "3 more allocations an iteration (+50 %), 6 before; +64 KiB an iteration"
line(stage.lines[0])    "  1. `Log::seal()` allocates 1 more time an iteration, +64 KiB: ..."
"""

from collections.abc import Sequence
from fractions import Fraction

from assay.findings import ELSEWHERE, Cause, Claim, Difference, StageName, WhyFinding
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

_PEAK = "peak"
_COUNTERS = {
    _PEAK: ("most memory held at once", "B"),
    "minor_faults": ("page faults", ""),
    "major_faults": ("page faults that read from disk", ""),
    "waits": ("times that it waited, and another ran", ""),
    "cpu_migrations": ("moves to another CPU", ""),
    "cycles": ("cycles", ""),
    "instructions": ("instructions", ""),
    "cache_misses": ("cache misses", ""),
    "branch_misses": ("mispredicted branches", ""),
}
_VERBS = {StageName.MEMORY: "allocates", StageName.SYSCALLS: "makes"}


def head(one: WhyFinding) -> str:
    """The first sentence on a resource: by how much its use differs as a whole, in an iteration."""
    count, size = one.amounts
    if one.claim is Claim.SAME:
        of = f" of {_bytes(size.base_value)}" if size.base else ""
        return (
            f"nothing: {count_text(count.base_value, count.unit)}{of} {AN_ITERATION} on both sides"
        )
    parts = []
    if count.amount:
        before = amount(count.base_value)
        parts.append(f"{more_or_less(count)} {AN_ITERATION} ({_percent(count)}), {before} before")
    if size.amount:
        parts.append(f"{_signed_bytes(size.more_per_iteration)} {AN_ITERATION} ({_percent(size)})")
    text = "; ".join(parts)
    return text if one.claim is Claim.DIFFERS else f"nothing worth naming: {text}"


def line(one: WhyFinding) -> str:
    """A sentence on one function or system call, printed below the whole difference."""
    number = f"{one.rank}. " if one.rank else ""
    return f"  {number}{sentence(one)}"


def sentence(one: WhyFinding) -> str:
    """The same without its number, for lists that number their lines themselves."""
    if one.claim is Claim.FUNCTION:
        return f"{function(one.subject)} {_VERBS[one.stage]} {_change(one.amounts)}{_causes(one)}"
    if one.claim is Claim.UNKNOWN:
        return f"unexplained, without a function: {_change(one.amounts)}"
    if one.claim is Claim.REST:
        return f"{unnamed_functions(one.others)} together: {_change(one.amounts)}"
    if one.claim is Claim.MOVED:
        if one.others:
            functions = format.count(one.others, "more function")
            has = "has" if one.others == 1 else "have"
            return f"{functions} that only {has} another name than before"
        return f"{function(one.subject)} does what {function(one.other)} did before"
    if one.claim is Claim.FREED:
        return f"{more_or_less(one.amounts[0])} {AN_ITERATION}"
    return _duration(one) if one.claim is Claim.DURATION else _counter(one)


def _causes(one: WhyFinding) -> str:
    if len(one.causes) == 1:
        place = _place(one.causes[0])
        return f":{place}" if place else ""
    told = [
        "and elsewhere" if each.kind == ELSEWHERE else f"{_change(each.amounts)}{_place(each)}"
        for each in one.causes
    ]
    return f": {'; '.join(told)}" if told else ""


def _place(one: Cause) -> str:
    what = "" if one.kind in ("allocation", "free") else f" {format.name(one.kind)}"
    via = f" in {function(one.callee)}" if one.callee and one.callee != one.kind else ""
    place = place_text(one.place, "called at" if via else "at")
    caller = f" for {function(one.caller)}" if one.caller else ""
    return f"{what}{via}{place}{caller}"


def _change(amounts: Sequence[Difference]) -> str:
    count, size = amounts
    parts = [f"{more_or_less(count)} {AN_ITERATION}"] if count.amount else []
    if size.amount:
        parts.append(_signed_bytes(size.more_per_iteration))
    return ", ".join(parts) or "nothing more"


def _duration(one: WhyFinding) -> str:
    """How long a system call took; the tracer makes each of them slower."""
    base, candidate = (_range(each, "ns") for each in one.ranges)
    return (
        f"{format.name(one.subject)} took {base} {AN_ITERATION} before and {candidate} now, "
        f"traced by {one.measured_by}, which adds to each"
    )


def _counter(one: WhyFinding) -> str:
    noun, unit = _COUNTERS[one.subject]
    of = "in the loop" if one.subject == _PEAK else AN_ITERATION
    base, candidate = (_range(each, unit) for each in one.ranges)
    return f"{noun} {of}: {base} before, {candidate} now"


def _range(both: tuple[float, float], unit: str) -> str:
    low, high = (format.quantity(value, unit or "1").strip() for value in both)
    return low if low == high else f"{low} to {high}"


def _bytes(number: Fraction) -> str:
    return format.quantity(float(number), "B").strip()


def _signed_bytes(number: Fraction) -> str:
    return f"{'+' if number > 0 else '-'}{_bytes(abs(number))}"


def _percent(one: Difference) -> str:
    return "from none" if one.share is None else format.change(float(one.share))
