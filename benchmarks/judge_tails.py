"""What share and size of slow launches is seen, and in how many rounds.

    ./dev bench judge_tails

For each noise of a round, share and size of slow launches: the rounds by which 95 of 100
series are found, in families of 1, 20 and 100 comparisons, margin 2 %. The table of
docs/what-we-cannot-measure.md. Nothing is promised of it. Seeded; about a minute.
"""

import math
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from assay.judge.paired.tails import Tails
from assay.judge.share import IN_FAMILY

MARGIN, ALPHA = 0.02, 0.05
SERIES, ROUNDS = 300, 300
SHARES, SIZES, NOISES = (1 / 2, 1 / 5, 1 / 10, 1 / 20), (0.05, 0.10, 0.30), (0.01, 0.03)
FAMILIES = (1, 20, 100)
FOUND = 0.95


def main() -> bool:
    """Print the table."""
    print("  noise  share   size  " + "  ".join(f"1 of {family:<3}" for family in FAMILIES))
    for noise in NOISES:
        for share in SHARES:
            for size in SIZES:
                paths = best_so_far(noise, share, size)
                cells = "  ".join(f"{rounds_to_find(paths, family):>8}" for family in FAMILIES)
                print(f"  {noise:5.0%}  1/{1 / share:<4.0f} {size:5.0%}  {cells}", flush=True)
    return True


def best_so_far(noise: float, share: float, size: float) -> NDArray[np.float64]:
    """After each round of each series, the most its bettor ever had."""
    rng = np.random.default_rng(28)
    shape = SERIES, ROUNDS
    slow = rng.random(shape) < share
    d = noise * rng.standard_normal(shape) + slow * math.log1p(size)
    path = Tails(d, theta=math.log1p(MARGIN), side=1.0).path
    return np.maximum.accumulate(path, axis=1)


def rounds_to_find(best: NDArray[np.float64], family: int) -> str:
    """The first round by which 95 of 100 series are found; "-": not in 300."""
    found = (best >= family / (ALPHA * IN_FAMILY.slow_launches)).mean(axis=0) >= FOUND
    return str(int(found.argmax()) + 1) if found.any() else "-"
