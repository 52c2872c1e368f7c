"""Reads the names in a list of benchmarks: one to a line, but a name may contain line breaks.

    names_in("BM_a\\nodd\\nname\\n", broken="odd\\nname\\n")      # ("BM_a", "odd\\nname")

Google Benchmark prints nothing but names, so the lines of one name look like several names. Asked
only for names with a line break (`LINE_BREAK` as filter), it shows which lines belong to such
names. A filter cannot tell two benchmarks of the same name apart: they are measured, and listed, as
one.
"""

from collections.abc import Sequence

LINE_BREAK = "\n"  # a filter that matches names with a line break in them
NOTHING = "\x01\n\x01"  # a filter that matches no name, to see whether filters are heeded


def names_in(listing: str, broken: str = "") -> tuple[str, ...]:
    """The benchmarks' names in a listing, each once; `broken` is the listing of those with a line
    break in their names.

    Adjacent names that both contain one cannot be told apart: they become one name.
    """
    lines = lines_of(listing)
    inside = _indexes_of_lines(lines, lines_of(broken))
    names: list[str] = []
    for place, line in enumerate(lines):
        if place in inside and place - 1 in inside:
            names[-1] += f"\n{line}"
        else:
            names.append(line)
    return tuple(dict.fromkeys(names))


def lines_of(listing: str) -> list[str]:
    """The lines of a listing that are not blank."""
    return [line for line in listing.split("\n") if line.strip()]


def _indexes_of_lines(lines: Sequence[str], broken: Sequence[str]) -> set[int]:
    """The indexes in `lines` of the lines of `broken`, which come in the same order.

    They are searched for from the end.
    """
    found, left = set(), list(broken)
    for place in range(len(lines) - 1, -1, -1):
        if left and lines[place] == left[-1]:
            left.pop()
            found.add(place)
    return found
