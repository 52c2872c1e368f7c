"""Why a benchmark does more, in sentences.

headline(work)      "BM_append does 812 more instructions an iteration (+31 %): ..."
change(found, one)  "`Wal::append` does 812 more instructions an iteration (+31 %): ..."
"""

from collections.abc import Collection, Iterator
from fractions import Fraction

from assay.show.words import format
from assay.show.words.symbol import symbol
from assay.work import Attribution, ExactWork, Moved, OwnChange, Place, Why

_NAME = 80  # characters of a function's name; a template's can have thousands
_REASONS = 3  # reasons told for one function; the others are summed up
_AN_ITERATION = "an iteration"
_OUTSIDE = "before or after the loop"
_SIMULATED = {
    "first": "misses the first cache",
    "last": "misses the last cache",
    "branches": "mispredicts branches",
}


def headline(work: ExactWork, *, time_differs: bool = False) -> str:
    """The loop's whole difference in instructions.

    `time_differs`: equal work is called "the same work in another time" instead of "nothing".
    """
    found = work.loop
    base = _amount(Fraction(found.base, found.iterations))
    missing = any(one.told for one in work.simulated)
    if found.whole == 0 and not work.told:
        same = f"{base} instructions {_AN_ITERATION} on both sides"
        if missing:
            return f"{same}, but not the same misses"
        return f"{'the same work in another time' if time_differs else 'nothing'}: {same}"
    percent = _percent(Fraction(found.whole), found.base)
    whole = f"{_more(Fraction(found.whole, found.iterations))} {_AN_ITERATION} ({percent})"
    if not work.told and not missing and _small(found):
        return f"nothing worth naming: {whole}"
    return f"{whole}, {base} before"


def change(found: Attribution, one: OwnChange) -> str:
    """How much more one function does, and where."""
    amount = one.amount / found.iterations
    percent = _percent(one.amount, found.base)
    reasons = _reasons(one, found.iterations)
    return f"{_function(one.function)} does {_more(amount)} {_AN_ITERATION} ({percent}){reasons}"


def rest(work: ExactWork, shown: Collection[str]) -> Iterator[str]:
    """A line for all other functions, unless their sum is next to nothing."""
    found = work.loop
    if not work.told and not _small(found):
        yield from _unnamed(found)
    told = [one for one in work.told if one.function in shown]
    left = found.whole - sum((one.amount for one in told), Fraction(0))
    more = len(work.told) - len(told)
    if work.told and (more or abs(left) * 200 >= found.iterations):
        others = f"{format.count(more, 'other')} and all smaller ones" if more else "all others"
        yield f"{others} together: {_more(left / found.iterations)}"


def _unnamed(found: Attribution) -> Iterator[str]:
    """Why the function with the largest change is not named although its change is large enough."""
    for one in found.changes[:1]:
        if one.own and one.does_the_same:
            amount, reasons = _more(one.amount / found.iterations), _reasons(one, found.iterations)
            yield (
                f"not named: {_function(one.function)} does {amount} {_AN_ITERATION}{reasons}, in "
                "the same calls as before: where data lies in memory can do that"
            )


def simulated(work: ExactWork, most: int | None = None) -> Iterator[str]:
    """Lines on what caches and branch prediction of a simulated processor do worse or better.

    Functions whose instructions changed by more are left out: more work brings more misses.
    """
    known = {one.function: abs(one.amount) for one in work.told}
    for one in work.simulated:
        found = one.found
        for each in one.told[:most]:
            if one.worth * abs(each.amount) <= known.get(each.function, 0):
                continue
            amount = each.amount / found.iterations
            times = _counted(abs(amount), f"{'more' if amount > 0 else 'fewer'} time")
            percent = _percent(each.amount, found.base)
            reasons = _reasons(each, found.iterations)
            what = f"{_function(each.function)} {_SIMULATED[one.what]} {times} {_AN_ITERATION}"
            yield f"simulated: {what} ({percent}){reasons}"


def moved(work: ExactWork, most: int | None = None) -> Iterator[str]:
    """Lines on work that moved to another function, which explains nothing; at most `most`."""
    found = work.loop
    worth = [
        one
        for one in found.moved
        if 100 * one.amount >= found.base and _function(one.function) != _function(one.into)
    ]
    worth.sort(key=lambda one: -one.amount)
    for one in worth[:most]:
        yield f"{_moved(one)}: {_elsewhere(one.amount, found.iterations)}"
    if rest := worth[len(worth[:most]) :]:
        amount = sum(one.amount for one in rest)
        functions = format.count(len(rest), "more function")
        yield (
            f"{functions} renamed or inlined otherwise than before: "
            f"{_elsewhere(amount, found.iterations)}"
        )


def _elsewhere(amount: int, iterations: int) -> str:
    number = _amount(Fraction(amount, iterations))
    return f"{number} instructions moved, which makes nothing slower"


def setup(work: ExactWork) -> Iterator[str]:
    """Lines on work that changed outside the loop, which is not in the benchmark's time."""
    for one in work.told_setup:
        reasons = _reasons(one, 1)
        yield (
            f"set-up: {_function(one.function)} does {_more(one.amount)} {_OUTSIDE}{reasons}; "
            "this is not part of the time measured"
        )


def _moved(one: Moved) -> str:
    name = _function(one.function)
    into = _function(one.into) if one.into else ""
    sentences = {
        "renamed": f"{name} is called {into} now",
        "inlined": f"{name} is inlined into {into} now",
        "called": f"{name} is no longer inlined",
        "passed": f"{into} does now what {name} did",
        "split off": f"{name} was part of its caller before",
        "put into its caller": f"{name} is part of its caller now",
    }
    return sentences[one.how]


def _reasons(one: OwnChange, iterations: int) -> str:
    parts = [_reason(why, iterations) for why in one.reasons[:_REASONS]]
    if len(one.reasons) == 1:
        return f", all {parts[0]}" if parts[0] else ""
    rest = sum((why.amount for why in one.reasons[_REASONS:]), Fraction(0)) / iterations
    amounts = [_signed(why.amount / iterations) for why in one.reasons[:_REASONS]]
    told = [f"{amount} {part}" for amount, part in zip(amounts, parts, strict=True)]
    if rest:
        told.append(f"{_signed(rest)} elsewhere")
    return f": {', '.join(told)}" if told else ""


def _reason(why: Why, iterations: int) -> str:
    callee, at = _function(why.callee), _at(why.place)
    base, candidate = (count / iterations for count in why.counts)
    times = f" ({_counted(base, 'call')} before, {_amount(candidate)} now)"
    if why.kind == "itself":
        return f"in its own code{at}"
    if why.kind == "library":
        return f"from {callee} called{at}{times if base != candidate else ''}"
    if why.kind == "inlined":
        return f"from {callee}, inlined{at}"
    if why.kind == "calls":
        return f"from calls of {callee}{at}{times}"
    if why.kind == "moved":
        return f"in {callee}, whose work it does now"
    return "because it is called from outside the code measured"


def _function(name: str) -> str:
    return f"`{symbol(name, _NAME)}`"


def _at(place: Place) -> str:
    if not place.line:
        return ""
    file = place.file.rpartition("/")[2]
    return f" at {format.name(file, _NAME)}:{place.line}"


def _more(amount: Fraction) -> str:
    word = "more" if amount > 0 else "fewer"
    return _counted(abs(amount), f"{word} instruction")


def _amount(number: Fraction) -> str:
    if number.denominator == 1 or abs(number) >= 100:
        return f"{round(number):,}"
    return f"{float(number):.3g}"


def _counted(number: Fraction, noun: str) -> str:
    return f"{_amount(number)} {noun}{'' if number == 1 else 's'}"


def _signed(number: Fraction) -> str:
    return f"{'+' if number > 0 else '-'}{_amount(abs(number))}"


def _percent(part: Fraction, whole: int) -> str:
    return format.signed_percent(float(part / whole)) if whole else "from nothing"


def _small(found: Attribution) -> bool:
    return abs(found.whole) * 1000 < found.base
