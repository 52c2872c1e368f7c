"""The Mann-Whitney U test as scipy.stats.mannwhitneyu does it by default.

Exact when one side has at most 8 values and none are tied, else the normal
approximation with corrections for ties and continuity. Written out here since
importing scipy costs a quarter of a second, and calling it 10,000 times three.
"""

import math
from collections.abc import Sequence

from assay.judge.normal import upper_tail
from assay.judge.unpaired.ranks import distribution_of_u

_EXACT_UP_TO = 8  # values of the smaller sample up to which the test is exact, as in scipy


def two_sided_p(one: Sequence[float], other: Sequence[float]) -> float:
    """The two-sided p-value for "both come from one distribution" (Mann and Whitney 1947)."""
    n, m = len(one), len(other)
    wins, ties = _wins_and_ties(one, other)
    most = max(wins, n * m - wins)
    if ties == 0 and min(n, m) <= _EXACT_UP_TO:
        tail = float(distribution_of_u(min(n, m), max(n, m))[n * m - int(most)])
    else:
        tail = _normal_tail(most, n, m, ties)
    return min(1.0, 2.0 * tail)


def _normal_tail(most: float, n: int, m: int, ties: float) -> float:
    size = n + m
    variance = n * m / 12 * ((size + 1) - ties / (size * (size - 1)))
    if variance <= 0.0:
        return 1.0
    return upper_tail((most - n * m / 2 - 0.5) / math.sqrt(variance))


def _wins_and_ties(one: Sequence[float], other: Sequence[float]) -> tuple[float, float]:
    """The statistic U of `one`, and the sum of t^3 - t over groups of t equal values."""
    merged = sorted([(value, 1) for value in one] + [(value, 0) for value in other])
    rank_sum, ties, start = 0.0, 0.0, 0
    while start < len(merged):
        value, stop, mine = merged[start][0], start, 0
        while stop < len(merged) and merged[stop][0] == value:
            mine += merged[stop][1]
            stop += 1
        size = stop - start
        rank_sum += mine * (start + 1 + stop) / 2
        ties += size**3 - size
        start = stop
    return rank_sum - len(one) * (len(one) + 1) / 2, ties
