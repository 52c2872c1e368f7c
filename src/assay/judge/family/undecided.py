"""Why a comparison stayed undecided: for want of time, of precision, or of a quiet host."""

from typing import Literal

from assay.model import Comparison

Reason = Literal["time", "precision", "quiet host"]

_NEAR = 0.25  # of the margin, or of half the interval: an effect so near an edge stays undecided
_WIDE = 2.0  # times the margin: an interval so wide does not tell where the effect lies
_LOUD = 1.5  # times the margin: of rounds as noisy as this it takes hundreds
_LEAST_MARGIN = 0.01  # what a round's noise is held against where the margin is smaller


def reason(comparison: Comparison, margin: float) -> Reason:
    """What it lacked. Of an undecided comparison; `margin` as in its `Settings`."""
    if comparison.low is None or comparison.high is None:
        return "time"
    half = (comparison.high - comparison.low) / 2
    narrow = margin == 0 or half <= _WIDE * margin
    if narrow and abs(abs(comparison.change) - margin) <= _NEAR * _scale(margin, half):
        return "precision"
    noise = comparison.noise
    if noise is not None and noise > _LOUD * max(margin, _LEAST_MARGIN):
        return "quiet host"
    return "time"


def _scale(margin: float, half: float) -> float:
    """The smaller of the two; with no margin the edge is zero and the interval all there is."""
    return min(margin, half) if margin > 0 else half
