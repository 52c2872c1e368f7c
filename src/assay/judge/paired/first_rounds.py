"""Which benchmarks seem to have changed by their first rounds: those are measured next.

    benchmarks_standing_out({"A": [0.01], "B": [0.7], ...}, margin=0.05)     # ["B"], of 8 or more

No verdict depends on it: it only says where more rounds are likely to make one. A verdict holds
whatever was measured first.
"""

import math
from collections.abc import Mapping, Sequence
from statistics import median

from assay.judge.paired.predictable import SIGMA

# A benchmark stands out if its median lies so many errors beyond the margin. An error is the usual
# distance of a first round in the suite, over the root of the benchmark's number of rounds. Three
# errors are the usual bound of normal noise; the number only orders what is measured.
_FAR = 3.0
# Benchmarks from whose first rounds the usual distance can be estimated. Not tuned: a few of eight
# that changed hardly move the median, and the number only orders what is measured.
_TELLING = 8


def benchmarks_standing_out(ratios: Mapping[str, Sequence[float]], margin: float) -> list[str]:
    """Names of the benchmarks whose log ratios lie far beyond the margin, the farthest first.

    `ratios` has the log ratios of each benchmark's rounds, `margin` is a fraction. How far is usual
    is estimated from all first rounds, for most benchmarks of a suite have not changed; with fewer
    than eight, none is named.
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
