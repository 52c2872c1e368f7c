"""What one run says of one benchmark: one number for a history.

    run_point([(3.0, 1.0, 2.0), (4.0, 2.0, 3.0)], "real_time").value    # 1.5

Launches are summed up as comparisons sum them up (`judge.estimate`); the run's value is their
median. Its quartiles show how much launches of this run differ. They say little about how
much runs differ from each other, which is what a history is judged by.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from assay.judge.estimate import launch_estimates


class RunPoint(NamedTuple):
    """In the unit of the samples."""

    value: float
    low: float  # lower quartile of the launches
    high: float  # upper quartile
    launches: int


def run_point(launches: Sequence[Sequence[float]], metric: str) -> RunPoint:
    """Of one launch or more, each with one sample or more."""
    estimates = launch_estimates(launches, metric)
    with np.errstate(over="ignore", invalid="ignore"):  # of values beyond any measurement
        low, value, high = np.quantile(estimates, (0.25, 0.5, 0.75))
    return RunPoint(float(value), float(low), float(high), len(estimates))
