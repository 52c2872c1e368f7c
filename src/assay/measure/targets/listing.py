"""Which benchmarks a listing names: one a line, where a name may itself hold line breaks.

    names_in("BM_a\\nodd\\nname\\n", broken="odd\\nname\\n")      # ("BM_a", "odd\\nname")

Google Benchmark lists names and nothing else, so the lines of one name look like names. Asked
for those that hold a line break (`LINE_BREAK` as a filter), it tells which lines these are.
Two benchmarks of one name are one to every filter: they are measured, and named, once.
"""

from collections.abc import Sequence

LINE_BREAK = "\n"
NOTHING = "\x01\n\x01"  # a filter that lets no name through, where filters are understood


def names_in(listing: str, broken: str = "") -> tuple[str, ...]:
    """The names, each once; `broken` is the listing of those that hold a line break.

    Names that hold one and follow each other cannot be told apart: they become one name.
    """
    lines = lines_of(listing)
    inside = _places(lines, lines_of(broken))
    names: list[str] = []
    for place, line in enumerate(lines):
        if place in inside and place - 1 in inside:
            names[-1] += f"\n{line}"
        else:
            names.append(line)
    return tuple(dict.fromkeys(names))


def lines_of(listing: str) -> list[str]:
    """Its lines that say something."""
    return [line for line in listing.split("\n") if line.strip()]


def _places(lines: Sequence[str], broken: Sequence[str]) -> set[int]:
    """Where the lines of `broken`, which are in order, stand in `lines`, found from the end."""
    found, left = set(), list(broken)
    for place in range(len(lines) - 1, -1, -1):
        if left and lines[place] == left[-1]:
            left.pop()
            found.add(place)
    return found
