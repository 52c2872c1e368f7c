"""What one run says of one benchmark: one number for a history.

    run_point([(3.0, 1.0, 2.0), (4.0, 2.0, 3.0)], "real_time").value    # 1.5

Launches are summed up as comparisons sum them up (`judge.estimate`); the run's value is their
median. Its quartiles show how much launches of this run differ. They say little about how much
runs differ from each other, by which a history is judged (decision 33).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from assay.judge.estimate import launch_estimates


class RunPoint(NamedTuple):
    """One run's value in a history, in the unit of the samples."""

    value: float
    low: float  # lower quartile of the launches
    high: float  # upper quartile
    launches: int


def run_point(launches: Sequence[Sequence[float]], metric: str) -> RunPoint:
    """The median and quartiles of a run's launches, of which each has at least one sample.

    Raises `IndexError` where there is no launch.
    """
    estimates = launch_estimates(launches, metric)
    with np.errstate(over="ignore", invalid="ignore"):  # values may be as large as floats are
        low, value, high = np.quantile(estimates, (0.25, 0.5, 0.75))
    return RunPoint(float(value), float(low), float(high), len(estimates))
