"""Two independent groups compared by rank: exact tails, p-values, intervals.

The Mann-Whitney statistic U counts the pairs in which the first group's member is the larger. When
nothing differs, its distribution follows by counting, here by additions only, so that no precision
is lost (Mann and Whitney, Annals of Mathematical Statistics 1947).
"""

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from assay.judge.effects import Floats, Rows
from assay.judge.normal import upper_tail

# Pairs (n x m); beyond, the normal approximation is good to 4 digits. A round number: 50 x 50.
EXACT_UP_TO = 2_500


@lru_cache(maxsize=256)
def distribution_of_u(n: int, m: int) -> Floats:
    """P(U <= k) for k = 0 .. n*m, when both groups come from one distribution.

    The largest member is of the first group (then it is larger than all `m`) or of the
    second: f(n, m, u) = f(n-1, m, u-m) + f(n, m-1, u). The array must not be written to.
    """
    previous = [np.ones(1) for _ in range(m + 1)]
    for i in range(1, n + 1):
        current = [np.ones(1)]
        for j in range(1, m + 1):
            counts = np.zeros(i * j + 1)
            counts[j:] += previous[j]
            counts[: i * (j - 1) + 1] += current[j - 1]
            current.append(counts)
        previous = current
    tail = np.cumsum(previous[m]) / math.comb(n + m, n)
    tail.flags.writeable = False
    return tail


def order_index(n: int, m: int, tail: float) -> int:
    """How many of the n*m sorted differences lie outside the interval on each side, so that each
    end is wrong with probability `tail` at most (Hodges and Lehmann 1963).

    -1 where even the whole range of differences does not reach that level.
    """
    if n * m <= EXACT_UP_TO:
        return int(np.searchsorted(distribution_of_u(n, m), tail, side="right")) - 1
    sigma = math.sqrt(n * m * (n + m + 1) / 12)
    return int(n * m / 2 + NormalDist().inv_cdf(tail) * sigma - 0.5)


def least_level(n: int, m: int) -> float:
    """The one-sided level of the whole range of differences, the least that ranks can reach."""
    if n * m <= EXACT_UP_TO:
        return 1.0 / math.comb(n + m, n)
    return math.exp(math.lgamma(n + 1) + math.lgamma(m + 1) - math.lgamma(n + m + 1))


def upper_tail_of_u(n: int, m: int, wins: Rows) -> Floats:
    """P(U >= wins), for each of `wins`, when both groups come from one distribution."""
    if n * m <= EXACT_UP_TO:
        return distribution_of_u(n, m)[n * m - wins]
    sigma = math.sqrt(n * m * (n + m + 1) / 12)
    return np.array([upper_tail((w - 0.5 - n * m / 2) / sigma) for w in wins.tolist()])
