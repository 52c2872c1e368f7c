"""Where a benchmark spends more time, in sentences.

headline(time)      "60 ns more on a CPU an iteration (+6.9 % [+5.8, +8.0]), 869 ns before"
change(time, one)   "`Wal::append` takes 5.1 of the 6.9 points more [4.2, 5.9]: ..."

A point is one percent of the time that an iteration took in the base.
"""

from collections.abc import Collection, Iterator

from assay.show.words import format
from assay.show.words.symbol import symbol
from assay.timed import FS, OTHERS, WAITING, Below, TimeChange, Timed, TimeInterval

_NAME = 80  # characters of a function's name
_BELOW = 3  # callees that are named for one function
LAYOUT = "same instructions, different time: layout, caches or branches"


def headline(time: Timed) -> str:
    """The whole difference in time of an iteration, with its interval."""
    base = f"{_amount(time.base)}{_kind(time)} an iteration"
    if time.whole.low is None or time.whole.high is None:
        return f"undecided: {base} in the base; {_rounds(time)} are too few to tell a difference"
    if not time.whole.is_change and not time.told and not time.moved:
        return f"nothing: {base} on both sides{_interval(time, time.whole)} %{_counted(time)}"
    more = _more(time.whole.amount)
    whole = f"{more}{_kind(time)} an iteration ({_percent(time, time.whole)})"
    unsure = "" if time.whole.is_change else ", which may be chance"
    return f"{whole}{unsure}, {_amount(time.base)} before{_counted(time)}"


def change(time: Timed, one: TimeChange) -> str:
    """How much more time one function takes, and in what."""
    return f"{_who(one)} takes {amount(time, one)}{_work(one)}"


def amount(time: Timed, one: TimeChange) -> str:
    """Such as '5.1 of the 6.9 points more [+4.2, +5.9]', with the parts in what it calls."""
    points, whole = one.change.amount, time.whole.amount
    word = "more" if points > 0 else "less"
    interval = _interval(time, one.change)
    if time.whole.is_change and 0 < points / whole <= 1:
        if abs(whole) > time.base:  # the time more than doubled: points of the base say little
            return f"{100 * points / whole:.0f} % of the time {word}{_below(time, one)}"
        of_all = f"{_unsigned(time, points)} of the {_unsigned(time, whole)} points {word}"
        return f"{of_all}{interval}{_below(time, one)}"
    return f"{_unsigned(time, points)} points {word}{interval}{_below(time, one)}"


def rest(time: Timed, shown: Collection[str]) -> Iterator[str]:
    """A line for all other functions, so that the lines add up to the whole."""
    if time.told and time.whole.is_change:
        told = [one for one in time.told if one.function in shown]
        left = time.whole.amount - sum(one.change.amount for one in told)
        more = len(time.told) - len(told)
        others = f"{format.count(more, 'other')} and all smaller ones" if more else "all others"
        yield f"unexplained, and {others} together: {_points(time, left)} points"
    elif time.whole.is_change and time.changes:
        first = time.changes[0]
        yield (
            f"which function it is is not sure after {_rounds(time)}: a quieter host tells sooner; "
            f"the largest is {_who(first)}, {_points(time, first.change.amount)} points"
        )


def moved(time: Timed) -> Iterator[str]:
    """Lines on time that moved from one function to another, which explains nothing."""
    for one in time.moved:
        yield (
            f"{_function(one.function)} takes {_unsigned(time, one.amount)} points less and "
            f"{_function(one.into)} as much more: moved, which makes nothing slower"
        )


def _below(time: Timed, one: TimeChange) -> str:
    parts = [_part(time, part) for part in one.below[:_BELOW]]
    if not parts or (len(one.below) == 1 and not one.below[0].callee):
        return ""
    return f": {', '.join(parts)}"


def _part(time: Timed, part: Below) -> str:
    where = f"in {_function(part.callee)}" if part.callee else "in its own code"
    return f"{_points(time, part.amount)} {where}"


def _work(one: TimeChange) -> str:
    if one.same_work:
        return f" ({LAYOUT})"
    if one.instructions is None or not one.instructions.base:
        return ""
    before, now = one.instructions
    return f" (instructions {format.signed_percent((now - before) / before)})"


def _who(one: TimeChange) -> str:
    if one.function == WAITING:
        return "waiting, on no CPU,"
    if one.function == OTHERS:
        return "what was seen too seldom to be judged by itself"
    return _function(one.function)


def _function(name: str) -> str:
    return f"`{symbol(name, _NAME)}`"


def _kind(time: Timed) -> str:
    return "" if time.has_waiting else " on a CPU"


def _counted(time: Timed) -> str:
    return f"; {_rounds(time)}"


def _rounds(time: Timed) -> str:
    return format.count(time.rounds, "round")


def _percent(time: Timed, span: TimeInterval) -> str:
    change = f"{_points(time, span.amount)} %"
    return change + _interval(time, span)


def _interval(time: Timed, span: TimeInterval) -> str:
    if span.low is None or span.high is None:
        return " [too few rounds]"
    return f" [{_points(time, span.low)}, {_points(time, span.high)}]"


def _points(time: Timed, amount: int) -> str:
    return f"{_of_base(time, amount):+.1f}"


def _unsigned(time: Timed, amount: int) -> str:
    return f"{abs(_of_base(time, amount)):.1f}"


def _of_base(time: Timed, amount: int) -> float:
    return 100 * amount / max(1, time.base) + 0.0


def _more(amount: int) -> str:
    return f"{_amount(abs(amount))} {'more' if amount >= 0 else 'less'}"


def _amount(amount: int) -> str:
    return format.quantity(amount / FS, "s")
