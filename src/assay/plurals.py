"""A number with its noun, for every room that words something.

count(1, "benchmark")      '1 benchmark'
count(3, "launch")         '3 launches'
"""

import re

_HISSES = re.compile(r"(?:ch|sh|s|x)$")
_CONSONANT_Y = re.compile(r"(?<![aeiou])y$")


def count(number: int, noun: str) -> str:
    """A number with its noun, in the plural unless it is 1."""
    return f"{number:,} {noun if number == 1 else plural_of(noun)}"


def plural_of(noun: str) -> str:
    """The plural of a noun as Assay's texts have them: rounds, launches, histories."""
    if _CONSONANT_Y.search(noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if _HISSES.search(noun) else f"{noun}s"
