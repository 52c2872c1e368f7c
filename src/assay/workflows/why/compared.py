"""Launches of both sides that ran the same loop, for stages to compare.

ComparedLoops(base_runs, candidate_runs, iterations=1000)
"""

from collections.abc import Sequence
from typing import NamedTuple

from assay.measure.profile.traced.loops import LoopRun


class ComparedLoops(NamedTuple):
    """The launches of both sides, and the iterations of the loop they have in common."""

    base: Sequence[LoopRun]
    candidate: Sequence[LoopRun]
    iterations: int
