"""Launches of both sides that did one loop alike: what stages compare.

Compared(base_runs, candidate_runs, iterations=1000)
"""

from collections.abc import Sequence
from typing import NamedTuple

from assay.measure.profile.traced.loops import LoopRun


class Compared(NamedTuple):
    """Of both sides, and the iterations of that loop."""

    base: Sequence[LoopRun]
    candidate: Sequence[LoopRun]
    iterations: int
