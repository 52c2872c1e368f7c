"""What a run of the OS lab says of a call's time: its figure, an interval, percentiles.

    times = os_times(record.samples)
    times[0].typical, times[0].low, times[0].high

A launch's figure is the median of its samples, that of a run the median of its launches; its
interval goes from one launch's figure to another's, of the ranks between which the median lies
at 95 % or more (of six: the lowest and the highest), and assumes nothing of the distribution.
With fewer than six launches, figure and interval are of all samples together, which says nothing
of launches not made. As native/os/statistics; why medians: docs/decisions/0024.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

import numpy as np

from assay.model import Sample

ENOUGH_LAUNCHES = 6
_FORTIETH = 40  # in each tail: 2.5 %
_MOST_COUNTED = 1000


@dataclass(frozen=True)
class OsTime:
    """One benchmark's time per call, in `unit`."""

    benchmark: str
    unit: str
    typical: float
    low: float
    high: float
    p95: float
    p99: float
    samples: int
    calls: int  # in a sample
    launches: int
    processes: int
    threads: int  # in each process


def os_times(samples: Iterable[Sample]) -> tuple[OsTime, ...]:
    """One for each benchmark, in the order they appear."""
    groups: dict[str, list[Sample]] = {}
    for sample in samples:
        groups.setdefault(sample.benchmark, []).append(sample)
    return tuple(_of(name, group) for name, group in groups.items())


def middle(values: Sequence[float]) -> float:
    """The median; the upper of the two middle ones, as libMicro's."""
    return sorted(values)[len(values) // 2]


def figure(launches: Sequence[Sequence[float]]) -> tuple[float, float, float]:
    """A run's figure, and from where to where it may lie."""
    if len(launches) >= ENOUGH_LAUNCHES:
        return median_of([middle(each) for each in launches])
    return median_of([time for each in launches for time in each])


def median_of(values: Sequence[float]) -> tuple[float, float, float]:
    """Their median, and from where to where it may lie at 95 %."""
    ordered = sorted(values)
    low, high = median_ranks(len(ordered))
    return middle(ordered), ordered[low], ordered[high]


@lru_cache(maxsize=1024)
def median_ranks(count: int) -> tuple[int, int]:
    """The ranks, from 0, between which the median lies with 95 % or more.

    Where the values are too few for that, the outermost. How many are below it is
    binomial(n, 1/2): counted up to 1000, normal beyond.
    """
    if count > _MOST_COUNTED:
        reach = 1.96 * math.sqrt(count / 4)
        return math.floor(count / 2 - reach), math.ceil(count / 2 + reach)
    at_most = list(accumulate(math.comb(count, k) for k in range(count + 1)))  # k below it
    every = at_most[-1]
    low = sum(_FORTIETH * ways <= every for ways in at_most) - 1
    return max(low, 0), min(count - 1 - low, count - 1)


def _of(name: str, group: list[Sample]) -> OsTime:
    launches = [sample.values["real_time"] for sample in group]
    every = np.concatenate([np.asarray(each) for each in launches])
    typical, low, high = figure(launches)
    p95, p99 = (float(np.quantile(every, share)) for share in (0.95, 0.99))
    processes = _whole(group[0], "processes") or 1
    return OsTime(
        benchmark=name,
        unit=group[0].time_unit,
        typical=typical,
        low=low,
        high=high,
        p95=p95,
        p99=p99,
        samples=len(every),
        calls=_whole(group[0], "calls_per_sample"),
        launches=len(group),
        processes=processes,
        threads=group[0].threads // processes,
    )


def _whole(sample: Sample, counter: str) -> int:
    return int(sample.values.get(counter, (0.0,))[0])
