"""What a one-sided run says of each benchmark: medians and spread over launches."""

from collections.abc import Iterable

import numpy as np

from assay.judge.estimate import launch_estimate
from assay.model import Level, Sample, by_benchmark


def levels(samples: Iterable[Sample]) -> tuple[Level, ...]:
    """One level per benchmark that has a time, in the order they appear."""
    timed = (one for one in samples if one.values.get("real_time"))  # counts may come without
    return tuple(_level(name, group) for name, group in by_benchmark(timed).items())


def _level(benchmark: str, samples: list[Sample]) -> Level:
    real = _estimates(samples, "real_time")
    cpu = _estimates(samples, "cpu_time")
    median = float(np.median(real))
    low, high = np.quantile(real, (0.25, 0.75))
    return Level(
        benchmark=benchmark,
        unit=samples[0].time_unit,
        real=median,
        cpu=float(np.median(cpu)) if cpu else None,
        spread=float(high - low) / median if len(real) >= 3 and median > 0 else None,
        launches=len(real),
    )


def _estimates(samples: list[Sample], metric: str) -> list[float]:
    return [
        launch_estimate(sample.values[metric], metric)
        for sample in samples
        if sample.values.get(metric)
    ]
