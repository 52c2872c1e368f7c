"""The autocorrelation of rounds over a whole suite, which shows it sooner than one benchmark:
twelve rounds of twenty benchmarks say as much as hundreds of one.
"""

import math
from collections.abc import Sequence

import numpy as np

from assay.judge.effects import Floats
from assay.judge.paired.batch_means import shared_lasting_rounds
from assay.judge.paired.predictable import (
    FIRST_AUTOCORRELATION,
    LONGEST,
    TINY,
    Threshold,
    gated_autocorrelation,
    lag_1_correlations,
    standardized_rows,
)

FEWEST_IN_FAMILY = 5  # benchmarks from which the autocorrelation of all is estimated (decision 27)
# Rounds before which the correlation over two rounds is not used. Not tuned (decision 50).
_FIRST_LAG_2 = 8
_LAG_2_GATE = 3.0  # standard errors; without autocorrelation few suites exceed it (decision 46)
# When the suite's autocorrelation counts, in standard errors. It is tested at every look, so chance
# alone is likely to exceed the gate once; that costs a few rounds some power. The gate was tuned
# on AR(1) noise and noise of two modes (decision 27).
_WHOLE_FAMILY = Threshold(gate=2.0, more=2.0)


def shared_autocorrelation(suite: Sequence[Floats], benchmarks: int) -> float | None:
    """The autocorrelation of a whole suite, from arrays of log ratios, pairs x rounds.

    For a memory longer than one round it is that of the AR(1) process whose rounds say as little
    as these. 0 unless something stands out; None with too few benchmarks or rounds.
    `benchmarks` is how many are independent: two metrics of one are not. Decisions 27 and 46.
    """
    pairs = sum(len(d) for d in suite)
    enough = [d for d in suite if d.shape[1] >= FIRST_AUTOCORRELATION]
    rounds = sum(d.size for d in enough)
    if benchmarks < FEWEST_IN_FAMILY or not rounds:
        return None
    mean = sum(float(lag_1_correlations(d).sum()) * d.shape[1] for d in enough) / rounds
    error = 1.0 / math.sqrt(rounds * benchmarks / pairs)
    next_round = float(gated_autocorrelation(np.array([mean]), error, _WHOLE_FAMILY)[0])
    longer = shared_lasting_rounds(enough, benchmarks)
    lasting = min(LONGEST, (longer - 1.0) / (longer + 1.0))
    return max(next_round, lasting, _lag_2_equivalent(enough, max(0.0, mean), error))


def _lag_2_equivalent(suite: Sequence[Floats], next_round: float, error: float) -> float:
    """The AR(1) autocorrelation that stands for a correlation at lag 2 without one at lag 1.

    Batches need a dozen rounds to show it, by when a third of such suites had a false verdict
    (decision 46). What the next round repeats returns after two rounds as its square, so only what
    exceeds that tells something.
    """
    told = [d for d in suite if d.shape[1] >= _FIRST_LAG_2]
    rounds = sum(d.size for d in told)
    if not rounds:
        return 0.0
    mean = sum(float(_lag_2(d).sum()) * d.shape[1] for d in told) / rounds
    if mean - next_round**2 <= _LAG_2_GATE * error:
        return 0.0
    return min(LONGEST, math.sqrt(min(1.0, mean + error)))


def _lag_2(d: Floats) -> Floats:
    """Lag-2 autocorrelation of each row, corrected for bias."""
    z = standardized_rows(d)
    z = z - z.mean(axis=1, keepdims=True)
    whole = np.maximum((z * z).sum(axis=1), TINY)
    return np.asarray((z[:, 2:] * z[:, :-2]).sum(axis=1) / whole + 1.0 / z.shape[1])
