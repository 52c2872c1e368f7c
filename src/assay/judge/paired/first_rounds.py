"""Which benchmarks seem to have changed after their first rounds: for whom the next ones are.

    stand_out({"A": [0.01], "B": [0.7, 0.8], "C": [-0.02]}, margin=0.05)      # ["B"]

No verdict, and nothing that a verdict rests on: it only says where rounds are likely to make one.
A verdict holds whatever was measured first.
"""

import math
from collections.abc import Mapping, Sequence
from statistics import median

from assay.judge.paired.predictable import SIGMA

_FAR = 3.0  # usual distances of a round of the suite, over the root of the rounds there are
_TELLING = 8  # benchmarks from whose first rounds the usual distance can be told


def stand_out(ratios: Mapping[str, Sequence[float]], margin: float) -> list[str]:
    """Names of those whose log ratios lie far beyond the margin, the furthest first.

    Most benchmarks of a suite have not changed: what their first rounds differ by is usual.
    """
    known = {name: rounds for name, rounds in ratios.items() if rounds}
    if len(known) < _TELLING:
        return []
    usual = SIGMA * median(abs(rounds[0]) for rounds in known.values())
    beyond = {
        name: abs(median(rounds)) - math.log1p(margin) - _FAR * usual / math.sqrt(len(rounds))
        for name, rounds in known.items()
    }
    far = (name for name, distance in beyond.items() if distance > 0.0)
    return sorted(far, key=lambda name: -beyond[name])
