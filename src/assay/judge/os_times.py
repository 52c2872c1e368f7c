"""What a run of the OS lab says of a call's time: its figure, an interval, percentiles.

    times = os_times(record.samples)
    times[0].typical, times[0].low, times[0].high

What disturbs a sample or a launch makes it slower, never faster. So a launch's figure is the
first decile of its samples, that of a run the mean of the faster half of its launches but the
fastest; its interval runs from the lowest to the highest launch (of six: 96.9 % for their
median) and assumes nothing of the distribution. With fewer than six launches, figure and
interval are of all samples together, which says nothing of launches not made. As
native/os/statistics.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from assay.model import Sample

ENOUGH_LAUNCHES = 6
_TENTH = 10
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


def decile(samples: Sequence[float]) -> float:
    """The first decile, the upper neighbour where it lies between two."""
    return sorted(samples)[len(samples) // _TENTH]


def of_launches(deciles: Sequence[float]) -> float:
    """The mean of the faster half but the fastest: what the less disturbed launches took.

    A neighbour on the same core disturbs for seconds, so whole launches; the fastest of all
    had the clock at its highest, or luck with where its memory lay.
    """
    faster = sorted(deciles)[: max(1, len(deciles) // 2)]
    usual = faster[1:] or faster
    return sum(usual) / len(usual)


def figure(launches: Sequence[Sequence[float]]) -> tuple[float, float, float]:
    """A run's figure, and from where to where it may lie."""
    if len(launches) >= ENOUGH_LAUNCHES:
        deciles = [decile(each) for each in launches]
        return of_launches(deciles), min(deciles), max(deciles)
    ordered = sorted(time for each in launches for time in each)
    low, high = decile_ranks(len(ordered))
    return decile(ordered), ordered[low], ordered[high]


def decile_ranks(samples: int) -> tuple[int, int]:
    """The ranks, from 0, between which the first decile lies with 95 % or more.

    Where the samples are too few for that, the outermost. How many samples are below it is
    binomial(n, 1/10): counted up to 1000, normal beyond.
    """
    if samples > _MOST_COUNTED:
        reach = 1.96 * math.sqrt(samples * 0.09)
        return math.floor(samples / _TENTH - reach), math.ceil(samples / _TENTH + reach)
    ways = (math.comb(samples, k) * 9 ** (samples - k) for k in range(samples + 1))
    at_most = list(accumulate(ways))  # k below it, of 10^n ways
    every = at_most[-1]
    low = sum(_FORTIETH * ways <= every for ways in at_most) - 1
    high = sum(_FORTIETH * (every - ways) > every for ways in at_most)
    return max(low, 0), min(high, samples - 1)


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
