"""Stacks of calls, and what was spent in each, on both sides: what a flame graph draws.

Stacks({("main", "BM_log", "append"): 812}, {("main", "BM_log", "append"): 990})
"""

from collections.abc import Mapping

import msgspec

Stack = tuple[str, ...]  # the outermost function first; inlined ones are frames of their own


class Stacks(msgspec.Struct, frozen=True):
    """For each call stack of a benchmark, an amount on each side: perf's samples, or callgrind's
    instructions."""

    base: Mapping[Stack, int]
    candidate: Mapping[Stack, int]
