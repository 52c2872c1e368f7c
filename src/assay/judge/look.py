"""One pair after one more round: look(), settled(), priority().

The interval holds at every look, so looking costs nothing but the width it was
made with. Give `look` as `family` the comparisons of the suite that have not
been found changed so far: Holm's step, taken as verdicts arrive.
"""

from collections.abc import Sequence

import numpy as np

from assay.judge.suite import Suite
from assay.model import Comparison, Pair, Settings, Verdict


def family(pairs: Sequence[Pair], settings: Settings) -> int:
    """How many of `pairs` need statistics: what `look` and `judge` share alpha over."""
    return Suite(pairs, settings, None).family


def shared_echo(pairs: Sequence[Pair], settings: Settings) -> float | None:
    """How much of each round echoes in the next over the whole suite: 0 on a sane host.

    For `look`, once a pass. None when the suite is too small to tell. `judge`
    finds out by itself.
    """
    return Suite(pairs, settings, None).echo


def look(pair: Pair, settings: Settings, *, family: int, echo: float | None = None) -> Comparison:
    """Judge `pair` alone, as one of `family` comparisons whose rounds share an `echo`.

    Without one the interval is a little wider: it must suspect an echo by itself.
    """
    suite = Suite((pair,), settings, None, echo)
    suite.found_at(settings.alpha / max(1, family), np.arange(suite.family))
    return suite.comparisons()[0]


def settled(comparison: Comparison) -> bool:
    """More rounds would change nothing."""
    return comparison.verdict is not Verdict.UNDECIDED


def priority(comparison: Comparison) -> float:
    """Larger is more worth a round: nearest to a decision first; settled ones 0."""
    if settled(comparison):
        return 0.0
    if comparison.low is None or comparison.high is None:
        return 1.0
    needed = comparison.rounds_needed
    return 1.0 / (1.0 + needed) if needed is not None else 1e-6
