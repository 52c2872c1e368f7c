"""Sums up a run of one program: each benchmark's median over launches, and their spread."""

from collections.abc import Iterable, Sequence

import numpy as np

from assay.judge.estimate import launch_estimate
from assay.model import Level, Sample, by_benchmark

_COUNT = "instructions"


def levels(samples: Iterable[Sample]) -> tuple[Level, ...]:
    """The median and spread of each benchmark that was measured, in the order they appear.

    It is the median over launches, each summed up as decision 2 says, in the benchmark's time unit;
    of instructions as a number. The spread is the interquartile range over the median.
    """
    there = list(samples)
    metric = level_metric(there)
    measured = (one for one in there if one.values.get(metric))  # a sample may have no times
    return tuple(_level(name, group, metric) for name, group in by_benchmark(measured).items())


def level_metric(samples: Sequence[Sample]) -> str:
    """The metric to sum up: real time, or instructions where only these were counted."""
    counted = bool(samples) and all(
        _COUNT in one.values and "real_time" not in one.values for one in samples
    )
    return _COUNT if counted else "real_time"


def _level(benchmark: str, samples: list[Sample], metric: str) -> Level:
    real = _estimates(samples, metric)
    cpu = _estimates(samples, "cpu_time")
    with np.errstate(over="ignore", invalid="ignore"):  # times may be as large as floats are
        median = float(np.median(real))
        low, high = np.quantile(real, (0.25, 0.75))
        cpu_median = float(np.median(cpu)) if cpu else None
    return Level(
        benchmark=benchmark,
        unit="1" if metric == _COUNT else samples[0].time_unit,
        real=median,
        cpu=cpu_median,
        spread=float(high - low) / median if len(real) >= 3 and median > 0 else None,
        launches=len(real),
    )


def _estimates(samples: list[Sample], metric: str) -> list[float]:
    return [
        launch_estimate(sample.values[metric], metric)
        for sample in samples
        if sample.values.get(metric)
    ]
