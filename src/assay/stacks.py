"""Stacks of calls seen while both sides ran, and how often: what a flame graph draws.

Stacks({("main", "BM_log", "append"): 812}, {("main", "BM_log", "append"): 990})
"""

from collections.abc import Mapping
from dataclasses import dataclass

Stack = tuple[str, ...]  # the outermost function first; inlined ones are frames of their own


@dataclass(frozen=True)
class Stacks:
    """Samples by stack, those of all rounds together."""

    base: Mapping[Stack, int]
    candidate: Mapping[Stack, int]
