"""Stacks of calls, and what was spent in each, on both sides: what a flame graph draws.

Stacks({("main", "BM_log", "append"): 812}, {("main", "BM_log", "append"): 990})
"""

from collections.abc import Mapping
from dataclasses import dataclass

Stack = tuple[str, ...]  # the outermost function first; inlined ones are frames of their own


@dataclass(frozen=True)
class Stacks:
    """An amount by stack: samples of all rounds, or instructions that callgrind counted."""

    base: Mapping[Stack, int]
    candidate: Mapping[Stack, int]
