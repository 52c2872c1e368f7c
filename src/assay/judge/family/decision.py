"""What an undecided comparison looks like, and what would decide it."""

from typing import NamedTuple

from assay.model import Verdict
from assay.units import Better

NEVER = 100_000  # rounds beyond which "more rounds" is no advice


class Span(NamedTuple):
    """A change with its interval, and the margin it is held against."""

    change: float
    low: float
    high: float
    margin: float


def decide(low: float, high: float, margin: float, better: Better) -> Verdict:
    """Where an interval lies against the margin; NaN ends decide nothing."""
    if low > margin:
        return up(better)
    if high < -margin:
        return down(better)
    if low > -margin and high < margin:
        return Verdict.SAME
    return Verdict.UNDECIDED


def up(better: Better) -> Verdict:
    """What more of a metric is called."""
    if better is Better.NEITHER:
        return Verdict.DIFFERENT
    return Verdict.SLOWER if better is Better.LOWER else Verdict.FASTER


def down(better: Better) -> Verdict:
    """What less of a metric is called."""
    if better is Better.NEITHER:
        return Verdict.DIFFERENT
    return Verdict.FASTER if better is Better.LOWER else Verdict.SLOWER


def leaning(change: float, margin: float, better: Better) -> Verdict:
    """The verdict the estimate alone would give."""
    if change > margin:
        return up(better)
    if change < -margin:
        return down(better)
    return Verdict.SAME if margin > 0 else Verdict.UNDECIDED


def detectable_effect(span: Span) -> float:
    """The smallest change that this interval's width would have shown."""
    return span.margin + (span.high - span.low) / 2
