"""How much of a round returns in later ones over a whole suite, which tells it sooner than one
benchmark does: twelve rounds of twenty benchmarks say as much as hundreds of one.
"""

import math
from collections.abc import Sequence

import numpy as np

from assay.judge.effects import Floats
from assay.judge.paired.batch_means import shared_lasting
from assay.judge.paired.predictable import FIRST_ECHO, LONGEST, Threshold, correlations, gated

FEWEST_IN_FAMILY = 5  # benchmarks from which an echo of all can be estimated
# Tested at every look, so a chance echo is likely to be met; it costs a few rounds some power.
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
    return max(next_round, min(LONGEST, (longer - 1.0) / (longer + 1.0)))
