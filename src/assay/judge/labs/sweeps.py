"""What a sweep says of each of its points: throughput, over the launches of it.

    for point in sweep_points(record.samples): point.plugin, point.threads, point.middle

Median, least and most: of the few launches of a sweep no interval could be told. For a
verdict on two plug-ins: `assay compare sweep.json sweep.json --base-filter A --candidate-filter B`.
"""

import re
from collections.abc import Iterable

import numpy as np

from assay.model import Sample, SweepPoint

NAME = re.compile(r"(?P<plugin>[^/]+)/(?P<setting>.+)/threads:(?P<threads>\d+)/(?P<operation>\w+)")
_RATE = "items_per_second"


def sweep_points(samples: Iterable[Sample]) -> tuple[SweepPoint, ...]:
    """One for each benchmark that is a sweep's, in the order they appear."""
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
