"""libMicro's statistics of a run, and its histogram.

    found = statistics_of([(5.1, 5.3), (5.2, 5.2)])     each launch's samples, in ns
    found.median_ns, found.histogram.buckets[0].count

Percentiles are as libMicro has them: a value that was measured, the upper of two.
"""

import math
from collections.abc import Sequence

from assay.judge.labs.os_times import deviation, mean_of, sum_in_order, time_of_run
from assay.os_lab import Bucket, LatencyHistogram, Statistics

_BUCKETS = 32  # buckets of a histogram, as in libMicro
_BODY_PERCENT = 95  # percent of the samples in buckets; those above have a line of their own


def statistics_of(launches: Sequence[Sequence[float]]) -> Statistics:
    """The statistics of all samples, in ns, and the time of a call over launches (decision 25).

    `launches` has each launch's times of a call in ns. Raises `ZeroDivisionError` where there is no
    sample.
    """
    ordered = sorted(time for each in launches for time in each)
    mean_ns = mean_of(ordered)
    typical_ns, low_ns, high_ns = time_of_run(launches)
    return Statistics(
        samples=len(ordered),
        launches=len(launches),
        min_ns=ordered[0],
        max_ns=ordered[-1],
        mean_ns=mean_ns,
        median_ns=_percentile(ordered, 50),
        stddev_ns=deviation(ordered, mean_ns),
        p95_ns=_percentile(ordered, 95),
        p99_ns=_percentile(ordered, 99),
        typical_ns=typical_ns,
        low_ns=low_ns,
        high_ns=high_ns,
        histogram=histogram_of(ordered),
    )


def histogram_of(ordered: Sequence[float]) -> LatencyHistogram:
    """libMicro's histogram of sorted samples in ns, of which there is at least one.

    The lowest 95 % in buckets of equal width, and the rest as one.
    """
    below = max(1, len(ordered) * _BODY_PERCENT // 100)
    body = ordered[:below]
    step_ns = _bucket_width(body[-1] - body[0])
    start_ns = math.floor(body[0] / step_ns) * step_ns
    inside: list[list[float]] = [[] for _ in range(_BUCKETS + 1)]
    for value in body:
        inside[min(_BUCKETS, int((value - start_ns) / step_ns))].append(value)
    last = max(place for place, values in enumerate(inside) if values)
    return LatencyHistogram(
        tuple(
            _bucket(start_ns + place * step_ns, values)
            for place, values in enumerate(inside[: last + 1])
        ),
        _bucket(body[-1], ordered[below:]),
        sum_in_order(body) / below,
    )


def _bucket(from_ns: float, values: Sequence[float]) -> Bucket:
    return Bucket(from_ns, len(values), mean_of(values) if values else 0.0)


def _percentile(ordered: Sequence[float], percent: int) -> float:
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def _bucket_width(range_ns: float) -> float:
    """The width of a bucket in ns: a number of one digit, so that 31 of them cover the range."""
    if not range_ns > 0:
        return 1e-3
    raw = range_ns / (_BUCKETS - 1)
    power = math.pow(10.0, math.floor(math.log10(raw)))
    return math.ceil(raw / power) * power
