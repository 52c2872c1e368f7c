"""What a sweep of `assay index` says of each of its points: throughput over the launches.

    for point in sweep_points(record.samples): point.plugin, point.threads, point.middle

Only median, least and most are given: the launches of a sweep are too few for an interval. For a
verdict on two plug-ins: `assay compare sweep.json sweep.json --base-filter A --candidate-filter B`.
"""

import re
from collections.abc import Iterable

import numpy as np

from assay.model import Sample, SweepPoint

NAME = re.compile(r"(?P<plugin>[^/]+)/(?P<setting>.+)/threads:(?P<threads>\d+)/(?P<operation>\w+)")
_RATE = "items_per_second"


def sweep_points(samples: Iterable[Sample]) -> tuple[SweepPoint, ...]:
    """The operations a second of each benchmark of a sweep, in the order they appear.

    Benchmarks with other names, or without `items_per_second`, are left out.
    """
    rates: dict[str, list[float]] = {}
    for sample in samples:
        if NAME.fullmatch(sample.benchmark) and sample.values.get(_RATE):
            rates.setdefault(sample.benchmark, []).extend(sample.values[_RATE])
    return tuple(_point(name, values) for name, values in rates.items())


def _point(benchmark: str, rates: list[float]) -> SweepPoint:
    found = NAME.fullmatch(benchmark)
    assert found is not None
    return SweepPoint(
        benchmark=benchmark,
        plugin=found["plugin"],
        setting=found["setting"],
        threads=int(found["threads"]),
        operation=found["operation"],
        least=min(rates),
        middle=float(np.median(rates)),
        most=max(rates),
        launches=len(rates),
    )
