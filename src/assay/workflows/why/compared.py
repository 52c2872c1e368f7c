"""Launches of both sides that ran the same loop, for stages to compare.

ComparedLoops(base_runs, candidate_runs, iterations=1000)
"""

from collections.abc import Sequence

import msgspec

from assay.measure.profile.traced.loops import LoopRun


class ComparedLoops(msgspec.Struct, frozen=True):
    """Launches of both sides, and the number of iterations for which their loops are compared."""

    base: Sequence[LoopRun]
    candidate: Sequence[LoopRun]
    iterations: int
