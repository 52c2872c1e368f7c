"""What an undecided comparison looks like, and what would decide it."""

import math
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


def lean(change: float, margin: float, better: Better) -> Verdict:
    """The verdict the estimate alone would give."""
    if change > margin:
        return up(better)
    if change < -margin:
        return down(better)
    return Verdict.SAME if margin > 0 else Verdict.UNDECIDED


def rounds_needed(span: Span, rounds: int, fewest: int | None) -> int | None:
    """About how many more rounds would decide, at widths shrinking as 1/sqrt(n).

    Without an interval: as many as `fewest` says make one. None where `fewest`
    is (more of the same cannot help), or where the estimate lies on an edge.
    """
    if fewest is None:
        return None
    if math.isnan(span.low):
        return max(1, fewest - rounds)
    share = still_to_shrink(span)
    if share is None or rounds > NEVER * share * share:
        return None
    return max(1, round(rounds / (share * share) - rounds))


def still_to_shrink(span: Span) -> float | None:
    """Distance to the nearest edge over the width towards it: 1 or more decides."""
    change, low, high, margin = span
    if change > margin:
        room, width = change - margin, change - low
    elif change < -margin:
        room, width = -margin - change, high - change
    else:
        room, width = margin - change, high - change
        other, other_width = change + margin, change - low
        if other * width < room * other_width:
            room, width = other, other_width
    if room <= 0.0 or width <= 0.0:
        return None
    return min(1.0, room / width)


def findable(span: Span) -> float:
    """The smallest change that this interval's width would have shown."""
    return span.margin + (span.high - span.low) / 2
