"""Which verdict follows from an interval and a margin, and, while undecided, what it leans to.

Changes, ends and margins are relative to base: 0.05 is 5 % more (decision 4, "Margins").
"""

import msgspec

from assay.model import Verdict
from assay.units import Better

# Rounds: where a verdict would take more than these, no number is advised. Not tuned: at ten
# rounds a second they are three hours of one benchmark.
NEVER = 100_000


class ChangeInterval(msgspec.Struct, frozen=True):
    """A change with its interval, and the margin that it is compared with."""

    change: float
    low: float
    high: float
    margin: float


def verdict_of_interval(low: float, high: float, margin: float, better: Better) -> Verdict:
    """The verdict by where an interval lies against the margin; `UNDECIDED` for NaN ends."""
    if low > margin:
        return verdict_of_more(better)
    if high < -margin:
        return verdict_of_less(better)
    if low > -margin and high < margin:
        return Verdict.SAME
    return Verdict.UNDECIDED


def verdict_of_more(better: Better) -> Verdict:
    """The verdict where the candidate has more of a metric than the base."""
    if better is Better.NEITHER:
        return Verdict.DIFFERENT
    return Verdict.SLOWER if better is Better.LOWER else Verdict.FASTER


def verdict_of_less(better: Better) -> Verdict:
    """The verdict where the candidate has less of a metric than the base."""
    if better is Better.NEITHER:
        return Verdict.DIFFERENT
    return Verdict.FASTER if better is Better.LOWER else Verdict.SLOWER


def leaning_verdict(change: float, margin: float, better: Better) -> Verdict:
    """The verdict the estimate alone would give."""
    if change > margin:
        return verdict_of_more(better)
    if change < -margin:
        return verdict_of_less(better)
    return Verdict.SAME if margin > 0 else Verdict.UNDECIDED


def detectable_effect(span: ChangeInterval) -> float:
    """The smallest change that an interval of this width shows: margin plus half the width."""
    return span.margin + (span.high - span.low) / 2
