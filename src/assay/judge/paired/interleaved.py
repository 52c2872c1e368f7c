"""Pairs measured in rounds: the effect is the centre of ln(candidate / base).

Both launches of a round share what the host does just then, and which goes first is drawn at
random, so a round's log ratio lies as likely above the true effect as below.
"""

import math
from functools import cached_property

import msgspec
import numpy as np

from assay.judge.effects import Effects, FindingsBesideCentre, Floats, RoundsNeeded, Rows
from assay.judge.estimate import launch_estimates
from assay.judge.paired import confidence_sequence, diagnostics
from assay.judge.paired.beside import BetsBesideCentre
from assay.judge.paired.confidence_sequence import (
    Increments,
    e_process,
    huber_location,
    increments,
    log_growth_per_round,
    max_e_value,
    minimum_rounds,
    rows_of,
)
from assay.judge.paired.placements import PlacementSpread, placement_spread, widened_half_width
from assay.judge.paired.predictable import SIGMA
from assay.judge.paired.tails import least_rounds_to_calm
from assay.judge.share import BY_ITSELF, IN_FAMILY, LevelShares
from assay.judging import MethodName
from assay.model import Pair
from assay.remarks import DroppedRounds, Remark

# Pairs judged at a time, so that memory is bounded; a round number, which changes no verdict.
CHUNK = 2_000
# Least lower edge of the margin, as a relative change: -1 has no log ratio. A round number.
_LEAST = -0.99
# How many more rounds are needed depends on the effect, which is known no better than the centre.
# So it is forecast for three equally plausible effects (in standard errors from the centre: the
# middles of the thirds of a normal distribution), and the middle forecast counts.
_PLAUSIBLE = (-0.97, 0.0, 0.97)  # quantiles of the normal distribution at 1/6, 1/2 and 5/6
# Standard error of a centre, in standard deviations over the root of n: a median's in normal noise,
# the root of pi / 2, rounded.
_CENTRE_ERROR = 1.25


class _Bet(msgspec.Struct, frozen=True):
    """The test of every pair, by betting, whether its effect lies beyond one edge of the margin."""

    theta: Floats  # the edge of the margin, as a log ratio
    side: float  # +1: the bettor stakes on rounds above the edge, -1: below it
    missing: Floats  # logarithm of the factor by which the bettor's wealth must grow to prove it


class InterleavedPairs:
    """Pairs measured in interleaved rounds, or in duets, all in equally many (decision 3).

    All are of metrics whose launches are summed up alike. `share` says how a level is divided among
    what is asked of a pair. The methods are those of `effects.PairGroup`.
    """

    effects: Effects

    def __init__(self, pairs: list[Pair], share: LevelShares = IN_FAMILY) -> None:
        self.pairs = pairs
        self._share = share
        base, candidate = _log_estimates(pairs)
        self.ratios = candidate - base
        self._level = np.median(candidate + base, axis=1) / 2
        self.use_suite_autocorrelation(None)

    def use_suite_autocorrelation(self, autocorrelation: float | None) -> None:
        """Use the autocorrelation of the whole suite, where it could be estimated.

        What the session knew when it measured the rounds counts before an estimate made now.
        """
        known = _known_autocorrelations(self.pairs)
        self._autocorrelation: Floats | float | None = autocorrelation if known is None else known
        self._bets = increments(self.ratios, self._autocorrelation)
        delta = huber_location(self._bets)
        self.effects = Effects(
            np.exp(self._level - delta / 2),
            np.exp(self._level + delta / 2),
            np.expm1(delta),
            _p_values(self._bets),
            self.ratios.shape[1],
            self._method(),
        )

    def _method(self) -> MethodName:
        is_linked_again = any(pair.placements for pair in self.pairs)
        return MethodName.ROUNDS_OVER_LINKS if is_linked_again else MethodName.ROUNDS

    def interval(self, rows: Rows, alpha: float) -> tuple[Floats, Floats]:
        """Both ends of each row's interval, relative to base; NaN for both where one is unknown.

        Each end has half of the part of alpha that the centre gets.
        """
        if self.effects.rounds < minimum_rounds(self._wealth_to_reach(alpha)):
            missing = np.full(len(rows), np.nan)
            return missing, missing
        ends = confidence_sequence.interval(rows_of(self._bets, rows), self._wealth_to_reach(alpha))
        # If the ends cross, report the range between them.
        low, high = self._widened_over_placements(rows, alpha, np.minimum(*ends), np.maximum(*ends))
        known = np.isfinite(low) & np.isfinite(high)
        return np.where(known, np.expm1(low), np.nan), np.where(known, np.expm1(high), np.nan)

    def _widened_over_placements(
        self, rows: Rows, level: float, low: Floats, high: Floats
    ) -> tuple[Floats, Floats]:
        """The ends, widened so that they hold for the code wherever it is placed, where rounds took
        several links. Until each link had two rounds, both ends are infinite."""
        for place, row in enumerate(rows.tolist()):
            if self.pairs[row].placements:
                found = self._placement_spreads[row]
                centre = float(np.log1p(self.effects.change[row]))
                below, above = centre - float(low[place]), float(high[place]) - centre
                if found is None:
                    low[place], high[place] = -np.inf, np.inf
                elif math.isfinite(below) and math.isfinite(above):
                    low[place] = centre - widened_half_width(below, found, level)
                    high[place] = centre + widened_half_width(above, found, level)
        return low, high

    @cached_property
    def _placement_spreads(self) -> list[PlacementSpread | None]:
        return [
            placement_spread(ratios, pair.placements) if pair.placements else None
            for ratios, pair in zip(self.ratios, self.pairs, strict=True)
        ]

    def placement_sd(self, row: int) -> float | None:
        """The standard deviation of what a random link order of both sides adds to the effect.

        As a log ratio; None: each side was linked once.
        """
        found = self._placement_spreads[row]
        return None if found is None else found.sd

    def fewest(self, level: float) -> int:
        """The fewest rounds for an interval at `level`."""
        return minimum_rounds(self._wealth_to_reach(level))

    def beside(self, margin: float, level: float) -> list[FindingsBesideCentre]:
        """What the centre of each pair does not show, judged at `level` (decision 28)."""
        if self._share is BY_ITSELF:
            return [FindingsBesideCentre()] * len(self.pairs)
        # A link that is slow would look like launches that are slow now and then.
        if any(pair.placements for pair in self.pairs):
            return [FindingsBesideCentre()] * len(self.pairs)
        asked = BetsBesideCentre(self.pairs, self.ratios, self._autocorrelation, margin)
        centres = self.effects.change.tolist()
        return [asked.findings_of_pair(row, level, centre) for row, centre in enumerate(centres)]

    def needed(self, margin: float, level: float) -> list[tuple[RoundsNeeded, ...]]:
        """About how many more rounds each verdict takes, for each of three plausible effects."""
        edges = math.log1p(margin), math.log1p(max(-margin, _LEAST))
        bets = [self._bet(edge, side, level) for edge in edges for side in (1.0, -1.0)]
        error = _CENTRE_ERROR * np.array(self.noise()) / math.sqrt(self.effects.rounds)
        return list(
            zip(*(self._rounds_needed_if(far * error, bets) for far in _PLAUSIBLE), strict=True)
        )

    def _rounds_needed_if(self, moved: Floats, bets: list["_Bet"]) -> list[RoundsNeeded]:
        """How many more rounds each verdict takes if effects were larger by `moved`, log ratios."""
        above, up, down, below = (self._rounds_to(bet, moved) for bet in bets)
        inside = np.maximum(up, down)
        if self._share is not BY_ITSELF:
            inside = np.maximum(inside, least_rounds_to_calm() - self.effects.rounds)
        rows = zip(above.tolist(), below.tolist(), inside.tolist(), strict=True)
        return [RoundsNeeded(*row) for row in rows]

    def _bet(self, edge: float, side: float, level: float) -> "_Bet":
        """The bettor against `edge`, with what it has still to win: 0 once it had won."""
        theta, target = np.full(len(self.pairs), edge), self._wealth_to_reach(level)
        path = e_process(self._bets, theta, side)
        missing = math.log(target) - np.log(np.maximum(path[:, -1], 1e-9))
        won = path.max(axis=1) >= target
        return _Bet(theta, side, np.where(won, 0.0, np.maximum(missing, 0.0)))

    def _rounds_to(self, bet: "_Bet", moved: Floats) -> Floats:
        """Rounds until the bet is won at the present rate; very many where it wins nothing."""
        rate = log_growth_per_round(self._bets, bet.theta - moved, bet.side)
        return np.asarray(bet.missing / np.maximum(rate, 1e-9))

    def noise(self) -> list[float]:
        """The standard deviation of one round's log ratio, by the median absolute deviation."""
        middle = np.median(self.ratios, axis=1)[:, None]
        spread = SIGMA * np.median(np.abs(self.ratios - middle), axis=1)
        return [float(one) for one in spread]

    def _wealth_to_reach(self, level: float) -> float:
        return 2.0 / (level * self._share.centre)

    def notes(self, row: int) -> tuple[Remark, ...]:
        """Remarks on how this pair was judged, for whoever reads its verdict."""
        pair = self.pairs[row]
        said = diagnostics.diagnostic_remarks(self.ratios[row], pair.base_first)
        return (DroppedRounds(pair.dropped_rounds), *said) if pair.dropped_rounds else said


def _known_autocorrelations(pairs: list[Pair]) -> Floats | None:
    """The suite's autocorrelation as it was known at each round; None unless all pairs have it."""
    if not all(len(pair.autocorrelations) == len(pair.base.launches) for pair in pairs):
        return None
    return np.array([pair.autocorrelations for pair in pairs], dtype=np.float64)


def _p_values(bets: Increments) -> Floats:
    zero = np.zeros(len(bets.x))
    most = np.maximum(
        max_e_value(bets, zero),
        max_e_value(bets, zero, side=-1.0),
    )
    return np.minimum(1.0, 2.0 / most)


def log_ratios(pairs: list[Pair]) -> Floats:
    """ln(candidate / base), pairs x rounds. All pairs have equally many rounds, and metrics whose
    launches are summed up alike (decision 2)."""
    base, candidate = _log_estimates(pairs)
    return candidate - base


def _log_estimates(pairs: list[Pair]) -> tuple[Floats, Floats]:
    shape = len(pairs), len(pairs[0].base.launches)
    metric = pairs[0].metric
    base = [launch for pair in pairs for launch in pair.base.launches]
    candidate = [launch for pair in pairs for launch in pair.candidate.launches]
    return (
        np.log(launch_estimates(base, metric).reshape(shape)),
        np.log(launch_estimates(candidate, metric).reshape(shape)),
    )
