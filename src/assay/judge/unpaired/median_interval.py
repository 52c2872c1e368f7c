"""One number for one benchmark in one file, with the interval that this file alone gives.

    median_interval([(590.2,)], "real_time")          # MedianInterval(value=590.2)
    ratio_interval(reference, other)       # of other / reference, where both have one

The interval is that of the median, by order statistics, which assumes nothing about the shape of
the noise. It is over launches (with fewer than seven, over repetitions), and says nothing about
drift between two files, which were measured one after the other.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from assay.judge.estimate import launch_estimates

LEVEL = 0.95  # confidence of a ratio, by convention; each of its two medians gets half the error
# With fewer, the repetitions inside them are used. 7 is the least number from whose order
# statistics an interval at 97.5 % can be made: 2^-6 is less than 2.5 %.
FEWEST_LAUNCHES = 7


class MedianInterval(msgspec.Struct, frozen=True):
    """A median with its interval at 97.5 %, in the unit of the samples; None: too few values."""

    value: float
    low: float | None = None
    high: float | None = None
    launches: int = 1


def median_interval(launches: Sequence[Sequence[float]], metric: str) -> MedianInterval:
    """The median of one benchmark's launches, with its interval by order statistics.

    Raises `IndexError` where there is no sample.
    """
    count = len(launches)
    if count >= FEWEST_LAUNCHES:
        values = launch_estimates(launches, metric).tolist()
    else:
        values = [value for launch in launches for value in launch]
    if len(values) == 1:
        return MedianInterval(values[0])
    values.sort()
    place = _order_statistic(len(values))
    if place is None:
        return MedianInterval(_median(values), launches=count)
    return MedianInterval(_median(values), values[place], values[-1 - place], count)


def ratio_interval(reference: MedianInterval, other: MedianInterval) -> tuple[float, float] | None:
    """Where other / reference lies, at 95 %; None without both intervals, or at or below 0."""
    if reference.low is None or reference.high is None or other.low is None or other.high is None:
        return None
    if reference.low <= 0:
        return None
    return other.low / reference.high, other.high / reference.low


def _median(ordered: Sequence[float]) -> float:
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


@lru_cache(maxsize=4096)
def _order_statistic(n: int) -> int | None:
    """The largest k, from 0, for which the k-th lowest and k-th highest value enclose the median
    with 97.5 %; None: there is none."""
    tail = (1.0 - LEVEL) / 4
    below, place = 0.0, None
    for k in range(n):
        below += math.exp(
            math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2.0)
        )
        if below > tail:
            break
        place = k
    return place
