"""Error control over everything compared at once.

For the gate by Holm (Scandinavian Journal of Statistics, 1979): every comparison starts at
alpha / m; each one found changed frees its share for the rest (alpha / (m - found)). Intervals are
made at the level at which the comparison ended, so that none contradicts its verdict. Only changes
free their share, "same" does not: docs/decisions/0004-suite-wide-control.md.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from assay.judge.effects import Rows

FoundAt = Callable[[float, Rows], NDArray[np.bool_]]


def step_down(rows: int, size: int, alpha: float, found_at: FoundAt) -> int:
    """Let `found_at(level, open)` judge the open rows until a step finds no more (Holm 1979).

    `found_at` returns which of these rows changed; they are not judged again. `size` comparisons
    share alpha at first; there may be more of them than rows. Returns how many steps were made.
    """
    waiting = np.arange(rows)
    elsewhere = max(size, 1) - rows
    steps = 0
    while waiting.size:
        found = found_at(alpha / max(1, waiting.size + elsewhere), waiting)
        steps += 1
        waiting = waiting[~found]
        if not found.any():
            break
    return steps


def discoveries(p_values: Sequence[float], alpha: float) -> list[int]:
    """The indices of those of `p_values` that are listed for exploration, in order.

    The false discovery rate is at most alpha (Benjamini and Hochberg, JRSS B 1995).
    """
    p = np.asarray(p_values, dtype=np.float64)
    if not p.size:
        return []
    order = np.argsort(p, kind="stable")
    passed = np.nonzero(p[order] <= alpha * np.arange(1, p.size + 1) / p.size)[0]
    if not passed.size:
        return []
    return sorted(order[: passed[-1] + 1].tolist())
