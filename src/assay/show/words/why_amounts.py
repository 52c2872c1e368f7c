"""Amounts, functions and places as they stand within sentences of `assay why`.

more_or_less(difference)            "812 more instructions"
function(name)              "`Wal::append`"
place_text(Place("a/wal.cc", 88))   " at wal.cc:88"
"""

from fractions import Fraction

from assay.findings import Difference
from assay.show.words import format
from assay.show.words.symbol import symbol
from assay.work import Place

LONGEST = 80  # characters of a function's name; a template's can have thousands
AN_ITERATION = "an iteration"


def function(name: str) -> str:
    """A function's name as code."""
    return f"`{symbol(name, LONGEST)}`"


def place_text(place: Place, word: str = "at") -> str:
    """Where in the source something is, such as ' at a.cpp:12'; empty if that is not known."""
    if not place.line:
        return ""
    return f" {word} {format.name(place.file.rpartition('/')[2], LONGEST)}:{place.line}"


def amount(number: Fraction) -> str:
    """A number without sign, such as '812' or '0.125'."""
    if number.denominator == 1 or abs(number) >= 100:
        return f"{round(number):,}"
    return f"{float(number):.3g}"


def count_text(number: Fraction, noun: str) -> str:
    """Such as '1 call', '2.5 calls'."""
    return f"{amount(number)} {noun}{'' if number == 1 else 's'}"


def unnamed_functions(number: int) -> str:
    """All functions that are not named, of which `number` are large enough to be."""
    return f"{format.count(number, 'other')} and all smaller ones" if number else "all others"


def more_or_less(one: Difference) -> str:
    """How much more or less base and candidate differ by in an iteration: '812 more
    instructions', '1 fewer free'.
    """
    return count_text(
        abs(one.more_per_iteration), f"{'more' if one.amount > 0 else 'fewer'} {one.unit}"
    )
