"""What a session writes into its journal before it measures, for the page that follows it.

Planned(benchmarks=("BM_copy",), fewest=12, limit_s=80.0)

A journal may lie in a store that a stranger wrote, so every number has its bounds.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from assay import defaults

_Share = Annotated[float, Meta(ge=0.0, le=1e6)]  # a fraction: 0.05 is 5 %
_Chance = Annotated[float, Meta(gt=0.0, lt=1.0)]  # a probability
_Rounds = Annotated[int, Meta(ge=0, le=10**9)]
_Seconds = Annotated[float, Meta(ge=0.0, le=1e12)]


class Planned(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a session plans to measure. Zero, empty or None: it does not say."""

    # All benchmarks that it will measure, in the order of the record.
    benchmarks: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()  # metrics that were asked for; none: the default ones
    margin: _Share = defaults.MARGIN
    counts_margin: _Share = defaults.COUNTS_MARGIN  # the margin for counts of instructions
    alpha: _Chance = defaults.ALPHA
    fewest: _Rounds = 0  # rounds of a benchmark that an interval needs at least
    rounds: _Rounds | None = None  # rounds of each benchmark, at most
    limit_s: _Seconds | None = None  # seconds that all rounds may take together
