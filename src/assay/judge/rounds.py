"""Pairs measured in rounds: the effect is the centre of ln(candidate / base).

Both launches of a round share the host's mood, and which goes first is drawn
by lot, so a round's log ratio scatters evenly around the true effect.
"""

import numpy as np

from assay.judge import wealth
from assay.judge.effects import Effects, Floats, Rows
from assay.judge.estimate import launch_estimates
from assay.model import Pair

METHOD = "rounds, interval valid at every look"
CHUNK = 2_000  # pairs at a time: bounds the memory


class Rounds:
    """Interleaved or duet pairs with equally many rounds and one launch estimate."""

    def __init__(self, pairs: list[Pair]) -> None:
        self.pairs = pairs
        base, candidate = _estimates(pairs)
        self.ratios = np.log(candidate / base)
        level = np.median(np.log(candidate) + np.log(base), axis=1) / 2
        self._game = wealth.game(self.ratios)
        delta = wealth.centre(self._game)
        self.effects = Effects(
            np.exp(level - delta / 2),
            np.exp(level + delta / 2),
            np.expm1(delta),
            self._p_values(),
            base.shape[1],
            METHOD,
        )

    def _p_values(self) -> Floats:
        zero = np.zeros(len(self.pairs))
        up, down = (wealth.log_wealth(self._game, zero, side) for side in (1, -1))
        return np.minimum(1.0, 2.0 * np.exp(-np.maximum(up, down)))

    def interval(self, rows: Rows, alpha: float) -> tuple[Floats, Floats]:
        """Each end spends half of `alpha`; both or neither."""
        part = wealth.Game(*(column[rows] for column in self._game))
        target = np.full(len(rows), np.log(2.0 / alpha))
        low, high = (wealth.bound(part, target, side) for side in (1, -1))
        missing = ~(np.isfinite(low) & np.isfinite(high))
        ends = np.where(missing, np.nan, low), np.where(missing, np.nan, high)
        change = self.effects.change[rows]
        return np.fmin(np.expm1(ends[0]), change), np.fmax(np.expm1(ends[1]), change)

    def notes(self, row: int) -> tuple[str, ...]:
        dropped = self.pairs[row].dropped_rounds
        return (f"{dropped} rounds dropped: CPU stolen by the hypervisor",) if dropped else ()


def _estimates(pairs: list[Pair]) -> tuple[Floats, Floats]:
    shape = len(pairs), len(pairs[0].base.launches)
    metric = pairs[0].metric
    base = [launch for pair in pairs for launch in pair.base.launches]
    candidate = [launch for pair in pairs for launch in pair.candidate.launches]
    return (
        launch_estimates(base, metric).reshape(shape),
        launch_estimates(candidate, metric).reshape(shape),
    )
