"""Why a comparison stayed undecided: for want of time, of precision, or of a quiet host."""

from assay.judging import Shortage
from assay.model import Comparison

# None of the four was tuned. They choose the words for what an undecided comparison lacked, after
# all verdicts have fallen (decision 50 has what halving and doubling each changes).
_NEAR = 0.25  # of the margin, or of half the interval: an effect this near an edge stays undecided
_WIDE = 2.0  # margins: half an interval wider than this does not tell where the effect lies
_LOUD = 1.5  # margins: where a round's noise is larger, a verdict takes hundreds of rounds
_LEAST_MARGIN = 0.01  # taken for the margin where that is smaller, to compare noise with


def shortage_of_undecided(comparison: Comparison, margin: float) -> Shortage:
    """What an undecided comparison lacked; `margin` is the one of its `Settings` (0.01 is 1 %).

    It is `TIME` where nothing else is known.
    """
    if comparison.low is None or comparison.high is None:
        return Shortage.TIME
    half = (comparison.high - comparison.low) / 2
    narrow = margin == 0 or half <= _WIDE * margin
    if narrow and abs(abs(comparison.change) - margin) <= _NEAR * _scale_of_nearness(margin, half):
        return Shortage.PRECISION
    noise = comparison.noise
    if noise is not None and noise > _LOUD * max(margin, _LEAST_MARGIN):
        return Shortage.QUIET_HOST
    return Shortage.TIME


def _scale_of_nearness(margin: float, half: float) -> float:
    """What nearness to the edge is measured in: the margin, or half the interval if smaller."""
    return min(margin, half) if margin > 0 else half
