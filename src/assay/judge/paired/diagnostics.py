"""Notes where rounds are less independent, or less steady, than the interval assumes."""

import math

import numpy as np

from assay.judge.effects import Floats
from assay.judge.paired.predictable import SIGMA, TINY, lag_1_correlation
from assay.remarks import CorrelatedRounds, Drifts, Remark, RemarkName, SecondDiffers

FEWEST = 16  # rounds below which no note is made; not tuned, and no verdict depends on it
_SIGNIFICANT = 3.3  # standard errors: in normal noise, one false note in a thousand (two-sided)
# Two groups of rounds are noted if they explain this share of the variance; in normal noise, two
# halves explain 2 / pi, which is 0.64. A choice that was not tuned: no verdict depends on it.
_TWO_MODES = 0.85


def diagnostic_remarks(d: Floats, base_first: tuple[bool, ...]) -> tuple[Remark, ...]:
    """What is notable about the log ratios `d` of one pair, in time order.

    Lag-1 autocorrelation, drift, an effect of which side ran first (`base_first`, of each round),
    and two groups of rounds. No verdict depends on them.
    """
    if len(d) < FEWEST:
        return ()
    z = _standardized(d)
    said = (
        _autocorrelation_remark(z),
        _drift_remark(d, z),
        _order_remark(d, base_first),
        _two_modes_remark(z),
    )
    return tuple(note for note in said if note is not None)


def _standardized(d: Floats) -> Floats:
    centre = np.median(d)
    sigma = max(SIGMA * float(np.median(np.abs(d - centre))), TINY)
    return np.asarray(np.clip((d - centre) / sigma, -3.0, 3.0))


def _autocorrelation_remark(z: Floats) -> CorrelatedRounds | None:
    autocorrelation = float(lag_1_correlation(z[None, :])[0])
    is_clear = abs(autocorrelation) * np.sqrt(len(z)) >= _SIGNIFICANT
    return CorrelatedRounds(autocorrelation) if is_clear else None


def _drift_remark(d: Floats, z: Floats) -> Drifts | None:
    time = np.linspace(-1.0, 1.0, len(z))
    slope = float(np.sum(time * z) / np.sum(time * time))
    error = float(np.std(z)) / np.sqrt(float(np.sum(time * time)))
    if error == 0.0 or abs(slope) < _SIGNIFICANT * error:
        return None
    half = len(d) // 2
    return Drifts(float(np.expm1(np.median(d[half:]) - np.median(d[:half]))))


def _order_remark(d: Floats, base_first: tuple[bool, ...]) -> SecondDiffers | None:
    first = np.array(base_first, dtype=bool)
    if len(first) != len(d) or min(first.sum(), (~first).sum()) < FEWEST // 4:
        return None
    one, other = d[first], d[~first]
    gap = float(np.median(one) - np.median(other)) / 2
    error = np.hypot(_standard_error_of_median(one), _standard_error_of_median(other)) / 2
    if error == 0.0 or abs(gap) < _SIGNIFICANT * error:
        return None
    return SecondDiffers(math.copysign(float(np.expm1(abs(gap))), gap))


def _standard_error_of_median(values: Floats) -> float:
    """Standard error of a median, from the median absolute deviation of the values."""
    spread = SIGMA * np.median(np.abs(values - np.median(values)))
    return float(1.2533 * spread / np.sqrt(len(values)))


def _two_modes_remark(z: Floats) -> RemarkName | None:
    ordered = np.sort(z)
    total = float(np.var(ordered))
    if total == 0.0:
        return None
    n = len(ordered)
    sizes = np.arange(1, n)
    sums = np.cumsum(ordered)[:-1]
    between = (sums - sizes * ordered.mean()) ** 2 / (sizes * (n - sizes)) / total
    few = n // 6
    share = float(between[few : n - few].max())
    return RemarkName.TWO_GROUPS if share > _TWO_MODES else None
