"""How much of a round returns in later ones over a whole suite, which tells it sooner than one
benchmark does: twelve rounds of twenty benchmarks say as much as hundreds of one.
"""

import math
from collections.abc import Sequence

import numpy as np

from assay.judge.effects import Floats
from assay.judge.paired.batch_means import shared_lasting
from assay.judge.paired.predictable import (
    FIRST_ECHO,
    LONGEST,
    TINY,
    Threshold,
    correlations,
    gated,
    standard,
)

FEWEST_IN_FAMILY = 5  # benchmarks from which an echo of all can be estimated
# Tested at every look, so a chance echo is likely to be met; it costs a few rounds some power.
_FIRST_LAG_2 = 8  # rounds before which the one after the next tells nothing
_LAG_2_GATE = 3.0  # standard errors: where nothing echoes it is met in few suites
_WHOLE_FAMILY = Threshold(gate=2.0, more=2.0)


def shared_echo(suite: Sequence[Floats], benchmarks: int) -> float | None:
    """The echo of a whole suite, given the log ratios of its pairs, one pair a row.

    Of a memory longer than one round: the echo of a process of the first order whose rounds
    say as little as these. 0 unless something stands out, None when there are too few.
    `benchmarks` is how many are independent: two metrics of one are not.
    """
    pairs = sum(len(d) for d in suite)
    enough = [d for d in suite if d.shape[1] >= FIRST_ECHO]
    rounds = sum(d.size for d in enough)
    if benchmarks < FEWEST_IN_FAMILY or not rounds:
        return None
    mean = sum(float(correlations(d).sum()) * d.shape[1] for d in enough) / rounds
    error = 1.0 / math.sqrt(rounds * benchmarks / pairs)
    next_round = float(gated(np.array([mean]), error, _WHOLE_FAMILY)[0])
    longer = shared_lasting(enough, benchmarks)
    lasting = min(LONGEST, (longer - 1.0) / (longer + 1.0))
    return max(next_round, lasting, _round_after_next(enough, max(0.0, mean), error))


def _round_after_next(suite: Sequence[Floats], next_round: float, error: float) -> float:
    """The echo of what returns two rounds later and not in between.

    Batches need a dozen rounds to show it, by when half of what it can win is won. What the next
    round repeats returns after two as its square: only what is beyond that tells something.
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
    """Correlation with the round before the last of each row, corrected for bias."""
    z = standard(d)
    z = z - z.mean(axis=1, keepdims=True)
    whole = np.maximum((z * z).sum(axis=1), TINY)
    return np.asarray((z[:, 2:] * z[:, :-2]).sum(axis=1) / whole + 1.0 / z.shape[1])
