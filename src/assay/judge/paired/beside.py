"""Changes that the centre of a pair does not show, and whether it may be called the same.

    beside = BetsBesideCentre(pairs, ratios, autocorrelation, margin)
    beside.findings_of_pair(row, level, centre)      # findings; calm: nothing speaks against "same"

Two things are asked in either direction: is a share of the launches slow (`tails`), and are
the slow samples inside launches slower or more (`slow_samples`)? And of a change for the better,
whether all samples agree (`scatter`). See decisions 28 and 46.
"""

import math

import numpy as np

from assay.judge.effects import FindingsBesideCentre, Floats
from assay.judge.paired.scatter import Scatter
from assay.judge.paired.slow_samples import SlowSamples
from assay.judge.paired.tails import Tails, round_exponents
from assay.judge.share import IN_FAMILY
from assay.model import Finding, Pair, Verdict
from assay.units import Better
from assay.units import metric as lookup

# E-value from which on a change is too likely for the verdict "same". Not tuned: fair bets have it
# in 1 of 5 series at most (Ville). Halved or doubled it changed no verdict of 342 (decision 50).
_SUSPECT = 5.0
# Least lower edge of the margin, as a relative change: -1 has no log ratio. A round number.
_LEAST = -0.99


class BetsBesideCentre:
    """Tests many pairs for changes that the centre of their rounds' log ratios does not show.

    These are rare slow or fast launches, and slow samples inside launches. The tests are bets,
    which are all computed in `__init__`. `ratios` is pairs x rounds of log ratios; all pairs have
    one kind of metric. `autocorrelation` is that of the whole suite, where it is known.
    """

    def __init__(
        self,
        pairs: list[Pair],
        ratios: Floats,
        autocorrelation: Floats | float | None,
        margin: float,
    ) -> None:
        self._pairs, self._margin = pairs, margin
        up, down = math.log1p(margin), math.log1p(max(-margin, _LEAST))
        power = round_exponents(ratios, autocorrelation)
        self._sides = {
            side: Tails(ratios, edge, side, power) for side, edge in ((1.0, up), (-1.0, down))
        }
        self._samples = SlowSamples.bets_on_pairs(pairs, autocorrelation, (up, down))
        self._scatter = Scatter.test_of_pairs(pairs, margin)

    def findings_of_pair(self, row: int, level: float, centre: float) -> FindingsBesideCentre:
        """The findings of one pair at the error level `level`, which all tests of it share.

        `centre` is the relative change of the centre: 0.05 is 5 % more.
        """
        better = lookup(self._pairs[row].metric).better
        if better is Better.NEITHER:
            return FindingsBesideCentre()
        worse = 1.0 if better is Better.LOWER else -1.0
        slow = [one for one in self._slow_samples(row, level) if self._is_beside(one, centre)]
        found = [*self._launch_findings(row, worse, level), *slow]
        calm = all(t.calm[row] and t.path[row, -1] < _SUSPECT for t in self._sides.values())
        if self._samples is not None:
            calm = calm and not self._samples.is_suspected(row, _SUSPECT)
        waits = max(float(tails.rounds_to_calm[row]) for tails in self._sides.values())
        scatter = None if self._scatter is None else self._scatter.finding(row)
        return FindingsBesideCentre(tuple(found), scatter, bool(calm), waits)

    def _is_beside(self, finding: Finding, centre: float) -> bool:
        """Whether the finding differs from the change of the centre; else it says nothing new."""
        return abs(finding.size - centre) > max(self._margin, abs(finding.size) / 2)

    def _launch_findings(self, row: int, worse: float, level: float) -> list[Finding]:
        questions = (
            (worse, IN_FAMILY.slow_launches, Verdict.SOMETIMES_SLOWER),
            (-worse, IN_FAMILY.fast_launches, Verdict.SOMETIMES_FASTER),
        )
        found = []
        for side, share, verdict in questions:
            tails = self._sides[side]
            if tails.wealth[row] >= 1.0 / (level * share):
                part, distance = tails.share_and_distance(row)
                size = float(np.expm1(side * distance))
                found.append(Finding(of="launches", verdict=verdict, share=part, size=size))
        return found

    def _slow_samples(self, row: int, level: float) -> list[Finding]:
        if self._samples is None:
            return []
        questions = (
            (1.0, IN_FAMILY.slow_samples, Verdict.SOMETIMES_SLOWER),
            (-1.0, IN_FAMILY.fast_samples, Verdict.SOMETIMES_FASTER),
        )
        return [
            self._samples.finding(row, verdict)
            for side, share, verdict in questions
            if self._samples.wealth[side][row] >= 1.0 / (level * share)
        ]
