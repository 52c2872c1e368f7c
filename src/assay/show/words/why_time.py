"""Where a benchmark spends more time, in sentences.

head(stage.head)    "60 ns more on a CPU an iteration (+6.9 % [+5.8, +8.0]), 869 ns before"
sentence(one)       "`Wal::append` takes 5.1 of the 6.9 points more [+4.2, +5.9]: ..."

A point is one percent of the time that an iteration took in the base.
"""

from fractions import Fraction

from msgspec.structs import replace

from assay.findings import Cause, Claim, Difference, WhyFinding
from assay.show.words import format
from assay.show.words.why_amounts import AN_ITERATION, function, unnamed_functions
from assay.timed import FS, OTHERS, WAITING

_LAYOUT = "same instructions, different time: layout, caches or branches"


def head(one: WhyFinding) -> str:
    """By how much the time of an iteration differs as a whole, in one sentence."""
    (whole,) = one.amounts
    kind = " on a CPU" if one.measured_by == "cpu" else ""
    before, rounds = _quantity(whole.base), _rounds(one)
    base = f"{before}{kind} {AN_ITERATION}"
    if one.claim is Claim.UNDECIDED:
        return f"undecided: {base} in the base; {rounds} are too few to tell a difference"
    if one.claim is Claim.SAME:
        return f"nothing: {base} on both sides{_interval(whole)} %; {rounds}"
    word = "more" if whole.amount >= 0 else "less"
    said = f"{_quantity(whole.amount)} {word}{kind} {AN_ITERATION}"
    unsure = ", which may be chance" if one.claim is Claim.UNSURE else ""
    return f"{said} ({_percent(whole)}){unsure}, {before} before; {rounds}"


def sentence(one: WhyFinding) -> str:
    """How much more time a function takes, and in what; or all that are not named."""
    first = one.amounts[0]
    if one.claim is Claim.REST:
        return f"unexplained, and {unnamed_functions(one.others)} together: {_signed(first)} points"
    if one.claim is Claim.LARGEST:
        return (
            f"which function it is is not sure after {_rounds(one)}: a quieter host tells sooner; "
            f"the largest is {_function_or_waiting(one.subject)}, {_signed(first)} points"
        )
    return f"{_function_or_waiting(one.subject)} takes {amount(one)}{_work(one)}"


def amount(one: WhyFinding) -> str:
    """Such as '5.1 of the 6.9 points more [+4.2, +5.9]', with the parts in what it calls."""
    first, whole = one.amounts[0], one.part_of
    word = "more" if first.amount > 0 else "less"
    causes = f": {', '.join(map(_cause, one.causes))}" if one.causes else ""
    if whole and whole.is_large:
        return f"{float(100 * first.amount / whole.amount):.0f} % of the time {word}{causes}"
    of_all = f" of the {abs(whole.percent_of_base):.1f}" if whole else ""
    return f"{abs(first.percent_of_base):.1f}{of_all} points {word}{_interval(first)}{causes}"


def lines_on_moved(one: WhyFinding) -> str:
    """A sentence on time that moved from one function to another, and so makes nothing slower."""
    return (
        f"{function(one.subject)} takes {abs(one.amounts[0].percent_of_base):.1f} points less and "
        f"{function(one.other)} as much more: moved, which makes nothing slower"
    )


def _cause(one: Cause) -> str:
    where = f"in {function(one.callee)}" if one.callee else "in its own code"
    return f"{_signed(one.amounts[0])} {where}"


def _work(one: WhyFinding) -> str:
    if one.claim is Claim.LAYOUT:
        return f" ({_LAYOUT})"
    _, *instructions = one.amounts
    shares = [each.share for each in instructions if each.share is not None]
    return "".join(f" (instructions {format.change(float(one))})" for one in shares)


def _function_or_waiting(name: str) -> str:
    if name == WAITING:
        return "waiting, on no CPU,"
    if name == OTHERS:
        return "what was seen too seldom to be judged by itself"
    return function(name)


def _rounds(one: WhyFinding) -> str:
    return format.count(one.rounds, "round")


def _interval(one: Difference) -> str:
    if one.low is None or one.high is None:
        return " [too few rounds]"
    ends = (_signed(replace(one, amount=end)) for end in (one.low, one.high))
    return f" [{', '.join(ends)}]"


def _percent(whole: Difference) -> str:
    """The change with its interval: '+6.0 % [+4.8, +7.2]', or 'x23 [x21, x25]' of a large one."""
    if whole.percent_of_base < 100 * format.LARGE_CHANGE or whole.low is None or whole.high is None:
        return f"{_signed(whole)} %{_interval(whole)}"
    low, middle, high = (
        format.factor(replace(whole, amount=one).percent_of_base / 100)
        for one in (whole.low, whole.amount, whole.high)
    )
    return f"{middle} [{low}, {high}]"


def _signed(one: Difference) -> str:
    return f"{one.percent_of_base:+.1f}"


def _quantity(amount: int | Fraction) -> str:
    return format.quantity(abs(float(amount / FS)), "s")
