"""One number for one launch: what its inner samples say of the benchmark.

Interference only ever adds time, so times are summed up by the mean of their
lowest third: less biased by it than the mean, steadier than the minimum. Rates
mirror that. Counts, memory and percentiles are not "truth plus interference"
and get the median. Evidence: docs/decisions/0002-launch-estimate.md.
"""

from collections.abc import Sequence

import numpy as np

from assay.judge.effects import Floats
from assay.units import TIME, Better
from assay.units import metric as lookup

LOWEST, HIGHEST, MEDIAN = "lowest third", "highest third", "median"


def summary_method(metric: str) -> str:
    """How a launch's samples of `metric` are summed up: by lowest or highest third, or median."""
    known = lookup(metric)
    if known.unit == TIME:
        return LOWEST
    if known.better is Better.HIGHER and known.unit.endswith("/s"):
        return HIGHEST
    return MEDIAN


def launch_estimate(samples: Sequence[float], metric: str) -> float:
    """Sum up one launch, in the unit of its samples (decision 2); it has at least one sample.

    >>> launch_estimate([3.0, 1.0, 2.0, 9.0, 1.5, 8.0, 7.0], "real_time")
    1.25
    """
    return float(summarise(np.array([samples], dtype=np.float64), summary_method(metric))[0])


def launch_estimates(launches: Sequence[Sequence[float]], metric: str) -> Floats:
    """One number for each launch, in the unit of its samples; launches need not be equally long."""
    lengths = {len(launch) for launch in launches}
    how = summary_method(metric)
    if len(lengths) == 1:
        return summarise(np.array(launches, dtype=np.float64), how)
    result = np.empty(len(launches))
    for length in lengths:
        rows = [i for i, launch in enumerate(launches) if len(launch) == length]
        result[rows] = summarise(np.array([launches[i] for i in rows], dtype=np.float64), how)
    return result


def summarise(matrix: Floats, how: str) -> Floats:
    """Sum up along the last axis by one of the three summaries `how`; (..., n) gives (...)."""
    n = matrix.shape[-1]
    with np.errstate(over="ignore", invalid="ignore"):  # a sum may overflow to infinity
        if how == MEDIAN:
            return np.asarray(np.median(matrix, axis=-1))
        kept = max(1, (n + 1) // 3)
        ordered = np.sort(matrix, axis=-1)
        part = ordered[..., :kept] if how == LOWEST else ordered[..., n - kept :]
        return np.asarray(part.mean(axis=-1))
