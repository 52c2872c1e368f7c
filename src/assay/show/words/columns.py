"""The columns of tables on comparisons: which one it is, and the words at its head.

TITLES[ColumnKey.BASE]          'base'

Code tells columns apart by key. A title is words, which one table has other than another.
"""

from collections.abc import Mapping
from enum import StrEnum


class ColumnKey(StrEnum):
    """Which column of a table it is; pages have it in their address, as the column to sort by."""

    BENCHMARK = "benchmark"
    METRIC = "metric"
    CONDITION = "condition"
    REFERENCE = "reference"
    BASE = "base"
    CANDIDATE = "candidate"
    CHANGE = "change"
    INTERVAL = "interval"
    VERDICT = "verdict"
    ROUNDS = "rounds"
    EVENTS = "events"
    LOST = "lost"
    TIME = "time"
    CPU = "cpu"
    SPREAD = "spread"
    LAUNCHES = "launches"
    HOST = "host"


TITLES: Mapping[ColumnKey, str] = {**{key: str(key) for key in ColumnKey}, ColumnKey.CPU: "CPU"}
