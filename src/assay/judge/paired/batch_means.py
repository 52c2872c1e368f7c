"""How long the memory of rounds is: the variance of batch means, compared with single rounds'.

Means of k independent rounds have 1 / k of the variance of one. Where rounds are autocorrelated,
means vary more: by `lasting_rounds` / k, where `lasting_rounds` is how many rounds say as much as
one independent round. A lag-1 correlation sees only what the very next round repeats; means of
2, 4, 8 and 16 rounds also see what returns two rounds later, or fades slowly (decision 46).

    lasting_rounds(d, IN_SUITE)[:, n - 1]    of each row, as far as its first n rounds tell

It is 1 unless a batch stands out. Wealth won in n rounds is taken to the power 1 / lasting, which
is exact for normal sums: E exp(b S / t - n b^2 / 2 t) = 1 where S has the variance n t. What it
cannot do is told in decision 46, "The memory up to which 5 % holds".
"""

import math
from collections.abc import Sequence
from itertools import pairwise

import msgspec
import numpy as np

from assay.judge.effects import Floats
from assay.judge.paired.predictable import TINY, rounds_of_updates, standardized_rows

BATCHES = (2, 4, 8, 16)  # rounds in a batch (decision 46)
# Batches of a length, end to end, before their variance is used. Not tuned (decision 50).
_FEWEST_BATCHES = 3
_NOTHING = np.empty((0, len(BATCHES)))
_FIRST = 8  # rounds before which the memory of rounds is not estimated; not tuned (decision 50)


class RatioThreshold(msgspec.Struct, frozen=True):
    """How many standard errors above 1 a variance ratio must lie to count, and how many are added
    to it then. The gates are those of decision 46; what is added was not tuned (decision 50)."""

    gate: float
    more: float


BY_ITSELF = RatioThreshold(gate=1.5, more=1.0)  # for a benchmark by itself
IN_SUITE = RatioThreshold(gate=2.5, more=0.5)  # for one benchmark of a suite
OF_ALL = RatioThreshold(gate=3.0, more=1.0)  # for the median of a whole suite
# Standard error of a median over that of a mean, in normal noise: the root of pi / 2.
_MEDIAN_ERROR = 1.2533


def lasting_rounds(d: Floats, stands_out: RatioThreshold) -> Floats:
    """How many rounds say as much as one independent round, as known after each (decision 46).

    `d` is series x rounds of log ratios, and so is the result, which is 1 or more.
    """
    rounds = d.shape[1]
    result = np.ones_like(d)
    for now, then in pairwise((*rounds_of_updates(rounds + 1), rounds + 1)):
        if now >= _FIRST:
            ratios = variance_ratios(standardized_rows(d[:, :now]))
            result[:, now - 1 : then - 1] = _largest_clear_ratio(
                ratios, _standard_errors(now), stands_out
            )[:, None]
    return result


def shared_lasting_rounds(suite: Sequence[Floats], benchmarks: int) -> float:
    """How many rounds of a whole suite say as much as one independent round, after all of them.

    All benchmarks together show it sooner than one. `suite` holds arrays of pairs x rounds,
    `benchmarks` is how many are independent. The median
    over them is taken: a few with a long memory show it by themselves, and are not what all share.
    """
    told = [d for d in suite if d.shape[1] >= _FIRST]
    ratios = np.concatenate([variance_ratios(standardized_rows(d)) for d in told] or [_NOTHING])
    weight = np.repeat([d.shape[1] for d in told], [len(d) for d in told])[:, None]
    there = ~np.isnan(ratios)
    rounds = np.maximum((weight * there).sum(axis=0), 1)
    middle = np.array([_median(column) for column in ratios.T])
    independent = min(1.0, benchmarks / max(1, sum(len(d) for d in suite)))
    error = _MEDIAN_ERROR * _standard_errors(1) / np.sqrt(rounds * independent)
    return float(_largest_clear_ratio(middle[None, :], error, OF_ALL)[0])


def _median(values: Floats) -> float:
    """The median of the values that are not NaN; NaN where there is none."""
    there = values[~np.isnan(values)]
    return float(np.median(there)) if there.size else math.nan


def variance_ratios(z: Floats) -> Floats:
    """The variance of sums of overlapping batches over that of independent rounds.

    `z` is series x rounds, the result series x length of a batch; NaN where there are too few
    rounds for a length. 1 where rounds are independent (Lo and MacKinlay, RFS 1988).
    """
    n = z.shape[1]
    z = z - z.mean(axis=1, keepdims=True)
    variance = np.maximum((z * z).mean(axis=1), TINY)
    sums = np.concatenate((np.zeros((len(z), 1)), np.cumsum(z, axis=1)), axis=1)
    result = np.full((len(z), len(BATCHES)), np.nan)
    for place, length in enumerate(BATCHES):
        if n >= _FEWEST_BATCHES * length:
            batches = sums[:, length:] - sums[:, :-length]
            own_mean = 1.0 - length / n  # by this factor, centring n rounds lowers the variance
            result[:, place] = (batches**2).mean(axis=1) / (length * variance) / own_mean
    return result


def _standard_errors(rounds: int) -> Floats:
    """Standard errors of variance ratios where rounds are independent (Lo and MacKinlay, 1988)."""
    return np.array(
        [math.sqrt(2 * (2 * k - 1) * (k - 1) / (3 * k * rounds)) for k in BATCHES],
        dtype=np.float64,
    )


def _largest_clear_ratio(ratios: Floats, errors: Floats, stands_out: RatioThreshold) -> Floats:
    clear = ratios - 1.0 > stands_out.gate * errors
    return np.asarray(np.where(clear, ratios + stands_out.more * errors, 1.0).max(axis=1))
