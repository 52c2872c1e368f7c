"""Pairs measured in rounds: the effect is the centre of ln(candidate / base).

Both launches of a round share the host's mood, and which goes first is drawn
by lot, so a round's log ratio scatters evenly around the true effect.
"""

import numpy as np

from assay.judge import independence, wealth
from assay.judge.effects import Effects, Floats, Rows
from assay.judge.estimate import launch_estimates
from assay.model import Pair

METHOD = "rounds, interval valid at every look"
CHUNK = 2_000  # pairs at a time: bounds the memory


class Rounds:
    """Interleaved or duet pairs with equally many rounds and one launch estimate."""

    effects: Effects

    def __init__(self, pairs: list[Pair]) -> None:
        self.pairs = pairs
        base, candidate = _estimates(pairs)
        self.ratios = np.log(candidate / base)
        self._level = np.median(np.log(candidate) + np.log(base), axis=1) / 2
        self.expect(None)

    def expect(self, echo: float | None) -> None:
        """Judge by what the whole suite's rounds echo, where there is a suite to tell."""
        self._game = wealth.game(self.ratios, echo)
        delta = wealth.centre(self._game)
        self.effects = Effects(
            np.exp(self._level - delta / 2),
            np.exp(self._level + delta / 2),
            np.expm1(delta),
            _p_values(self._game),
            self.ratios.shape[1],
            METHOD,
        )

    def interval(self, rows: Rows, alpha: float) -> tuple[Floats, Floats]:
        """Each end spends half of `alpha`; both or neither."""
        if self.effects.rounds < self.fewest(alpha):
            missing = np.full(len(rows), np.nan)
            return missing, missing
        ends = wealth.interval(wealth.rows_of(self._game, rows), 2.0 / alpha)
        known = np.isfinite(ends[0]) & np.isfinite(ends[1])
        # Rounds that contradict each other can leave nothing between the ends: take it all.
        low, high = np.minimum(*ends), np.maximum(*ends)
        return np.where(known, np.expm1(low), np.nan), np.where(known, np.expm1(high), np.nan)

    def fewest(self, level: float) -> int:
        return wealth.fewest(2.0 / level)

    def notes(self, row: int) -> tuple[str, ...]:
        pair = self.pairs[row]
        said = independence.notes(self.ratios[row], pair.base_first)
        if pair.dropped_rounds:
            lost = f"{pair.dropped_rounds} rounds dropped: CPU stolen by the hypervisor"
            return (lost, *said)
        return said


def _p_values(game: wealth.Game) -> Floats:
    zero = np.zeros(len(game.x))
    most = np.maximum(wealth.wealth(game, zero), wealth.wealth(game, zero, side=-1.0))
    return np.minimum(1.0, 2.0 / most)


def _estimates(pairs: list[Pair]) -> tuple[Floats, Floats]:
    shape = len(pairs), len(pairs[0].base.launches)
    metric = pairs[0].metric
    base = [launch for pair in pairs for launch in pair.base.launches]
    candidate = [launch for pair in pairs for launch in pair.candidate.launches]
    return (
        launch_estimates(base, metric).reshape(shape),
        launch_estimates(candidate, metric).reshape(shape),
    )
