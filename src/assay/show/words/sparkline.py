"""A series as a line of characters: sparkline([1, 2, 3, 2]) gives "▁▅█▅".

There are eight heights, from the smallest to the largest value. In a longer series each character
is the median of several neighbouring values.
"""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

_HEIGHTS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float], width: int = 24) -> str:
    """At most `width` characters; a constant series is drawn at half height."""
    shown = _medians(values, width)
    if not shown:
        return ""
    low, high = min(shown), max(shown)
    if low == high:
        return _HEIGHTS[3] * len(shown)
    steps = len(_HEIGHTS) - 1
    return "".join(_HEIGHTS[round((value - low) / (high - low) * steps)] for value in shown)


def _medians(values: Sequence[float], width: int) -> list[float]:
    count = min(len(values), width)
    ends = [len(values) * number // count for number in range(count + 1)] if count else []
    return [median(values[start:end]) for start, end in pairwise(ends)]
