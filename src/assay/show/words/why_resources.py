"""What changed in memory and in system calls, in sentences.

memory(found)        "3 more allocations an iteration (+50 %), 6 before; +64 KiB"
"""

from collections.abc import Iterator
from fractions import Fraction

from assay.resources import (
    Amount,
    Deltas,
    FunctionChange,
    Gauge,
    Memory,
    SpotChange,
    Syscalls,
    time_gauge,
)
from assay.show.words import format
from assay.show.words.symbol import symbol
from assay.work import Place

_NAME = 80  # characters of a function's name; a template's can have thousands
_PLACES = 3  # places told for one function; others are only "elsewhere"
_FUNCTIONS = 5  # functions that are named for memory, and for system calls
_AN_ITERATION = "an iteration"
_PEAK = "peak"
_GAUGES = {
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


def memory(found: Memory) -> Iterator[str]:
    """How many allocations more or less, then the rest, as sentences."""
    yield f"memory: {memory_headline(found)}"
    yield from memory_rest(found)


def memory_headline(found: Memory) -> str:
    """How many allocations more or less."""
    return _headline(found.allocations, "allocation")


def memory_rest(found: Memory) -> Iterator[str]:
    """Changes in allocations, the largest first, then what else is known about memory."""
    yield from _told(found.allocations, "allocates")
    yield from _moved(found.allocations)
    kept = found.allocations.whole.times - found.frees.whole.times
    if found.frees.whole.times and kept:
        amount = Fraction(found.frees.whole.times, found.frees.iterations)
        yield f"  {_more(amount, 'free')} {_AN_ITERATION}"
    yield from _gauges(found.gauges)


def syscalls(found: Syscalls) -> Iterator[str]:
    """How many system calls more or less, then the rest, as sentences."""
    yield f"system calls: {syscalls_headline(found)}"
    yield from syscalls_rest(found)


def syscalls_headline(found: Syscalls) -> str:
    """How many system calls more or less."""
    return _headline(found.calls, "system call")


def syscalls_rest(found: Syscalls) -> Iterator[str]:
    """System calls made more or less often, and by which functions."""
    yield from _told(found.calls, "makes")
    yield from _moved(found.calls)
    if found.calls.told:
        yield from _times(found)
    yield from _gauges(found.gauges)


def _headline(found: Deltas, noun: str) -> str:
    base, whole = found.base, found.whole
    if whole == Amount():
        size = f" of {_bytes(Fraction(base.size, found.iterations))}" if base.size else ""
        count = _counted(Fraction(base.times, found.iterations), noun)
        return f"nothing: {count}{size} {_AN_ITERATION} on both sides"
    parts = []
    if whole.times:
        amount = Fraction(whole.times, found.iterations)
        before = _amount(Fraction(base.times, found.iterations))
        percent = _percent(whole.times, base.times)
        parts.append(f"{_more(amount, noun)} {_AN_ITERATION} ({percent}), {before} before")
    if whole.size:
        signed = _signed_bytes(Fraction(whole.size, found.iterations))
        parts.append(f"{signed} {_AN_ITERATION} ({_percent(whole.size, base.size)})")
    text = "; ".join(parts)
    return text if found.told or not found.has_names else f"nothing worth naming: {text}"


def _told(found: Deltas, verb: str) -> Iterator[str]:
    for number, one in enumerate(found.told[:_FUNCTIONS], 1):
        change = _change(one.amount, found.iterations)
        places = _places(one, found.iterations)
        yield f"  {number}. {_function(one.function)} {verb} {change}{places}"
    rest = found.whole
    for one in found.told[:_FUNCTIONS]:
        rest = rest.minus(one.amount)
    unexplained = found.unexplained
    if found.told and unexplained != Amount():
        yield f"  unexplained, without a function: {_change(unexplained, found.iterations)}"
        rest = rest.minus(unexplained)
    if found.told and rest != Amount():
        yield f"  all others together: {_change(rest, found.iterations)}"


def _moved(found: Deltas) -> Iterator[str]:
    for old, new in found.moved[:_FUNCTIONS]:
        yield f"  {_function(new)} does what {_function(old)} did before"


def _places(one: FunctionChange, iterations: int) -> str:
    changed = [place for place in one.places if place.amount != Amount()]
    if len(changed) == 1:
        place = _place(changed[0])
        return f":{place}" if place else ""
    told = [f"{_change(place.amount, iterations)}{_place(place)}" for place in changed[:_PLACES]]
    more = ["and elsewhere"] if len(changed) > _PLACES else []
    return f": {'; '.join([*told, *more])}" if told else ""


def _place(one: SpotChange) -> str:
    spot = one.spot
    what = "" if spot.what in ("allocation", "free") else f" {format.name(spot.what)}"
    via = f" in {_function(spot.via)}" if spot.via and spot.via != spot.what else ""
    at = _at(spot.place, "called at" if via else "at")
    caller = f" for {_function(spot.caller)}" if spot.caller else ""
    return f"{what}{via}{at}{caller}"


def _at(place: Place, word: str) -> str:
    if not place.line:
        return ""
    return f" {word} {format.name(place.file.rpartition('/')[2], _NAME)}:{place.line}"


def _change(amount: Amount, iterations: int) -> str:
    count, size = Fraction(amount.times, iterations), Fraction(amount.size, iterations)
    parts = [f"{_times_more(count)} {_AN_ITERATION}"] if count else []
    if size:
        parts.append(_signed_bytes(size))
    return ", ".join(parts) or "nothing more"


def _times_more(count: Fraction) -> str:
    return _counted(abs(count), f"{'more' if count > 0 else 'fewer'} time")


def _times(found: Syscalls) -> Iterator[str]:
    """How long the changed system calls took; the tracer makes each of them slower."""
    told = {place.spot.what for one in found.calls.told for place in one.places}
    names = {time_gauge(name): name for name in told}
    for one in found.gauges:
        if name := names.get(one.name, ""):
            yield (
                f"  {format.name(name)} took {_range(one.base, 'ns')} {_AN_ITERATION} before and "
                f"{_range(one.candidate, 'ns')} now, traced by {found.tool}, which adds to each"
            )


def _gauges(gauges: tuple[Gauge, ...]) -> Iterator[str]:
    for one in gauges:
        if one.is_changed and one.name in _GAUGES:
            noun, unit = _GAUGES[one.name]
            of = "in the loop" if one.name == _PEAK else _AN_ITERATION
            base, candidate = _range(one.base, unit), _range(one.candidate, unit)
            yield f"  {noun} {of}: {base} before, {candidate} now"


def _range(both: tuple[float, float], unit: str) -> str:
    low, high = (format.quantity(value, unit or "1").strip() for value in both)
    return low if low == high else f"{low} to {high}"


def _function(name: str) -> str:
    return f"`{symbol(name, _NAME)}`"


def _more(amount: Fraction, noun: str) -> str:
    return _counted(abs(amount), f"{'more' if amount > 0 else 'fewer'} {noun}")


def _amount(number: Fraction) -> str:
    if number.denominator == 1 or abs(number) >= 100:
        return f"{round(number):,}"
    return f"{float(number):.3g}"


def _counted(number: Fraction, noun: str) -> str:
    return f"{_amount(number)} {noun}{'' if number == 1 else 's'}"


def _bytes(amount: Fraction) -> str:
    return format.quantity(float(amount), "B").strip()


def _signed_bytes(amount: Fraction) -> str:
    return f"{'+' if amount > 0 else '-'}{_bytes(abs(amount))}"


def _percent(part: int, whole: int) -> str:
    return format.change(part / whole) if whole else "from none"
