"""The table of all metrics: their units, and whether more or less is better.

    >>> metric("real_time").better
    <Better.LOWER: 'lower'>
    >>> metric("items_per_second").better
    <Better.HIGHER: 'higher'>

An unknown counter has no better direction (`Better.NEITHER`): a
change of it is reported as `different` and never fails a gate.
"""

import re
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

import msgspec

from assay.errors import InputError

TIME_UNITS_NS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}


class Better(StrEnum):
    """Which direction of a metric is an improvement."""

    LOWER = "lower"
    HIGHER = "higher"
    NEITHER = "neither"


class Metric(msgspec.Struct, frozen=True):
    """A metric: its name, its unit, and whether more or less of it is better.

    `unit` is "time" for metrics in their row's time unit. Unit, direction and whether it is
    compared by default are independent of each other.
    """

    name: str
    unit: str
    better: Better
    is_count: bool = False  # a number of events: may be exact, may be zero
    is_compared: bool = True  # whether a comparison includes it unless asked otherwise


TIME = "time"  # stands for "the time unit of the row" where a metric has no unit of its own


class _Rule(NamedTuple):
    """One row of the table of metrics: unit and direction of those whose whole name matches
    `pattern`."""

    pattern: str
    unit: str
    better: Better
    is_count: bool = False
    is_compared: bool = True


# The first match counts. Names are those of Google Benchmark, perf and Assay's library. What only
# repeats what a time says is not compared by default: each further comparison makes the intervals
# of all others wider.
_TABLE = (
    _Rule(r"real_time|cpu_time", TIME, Better.LOWER),
    _Rule(r"user_time|system_time|manual_time", TIME, Better.LOWER, is_compared=False),
    _Rule(r"(.*_)?latency(_.*)?|p\d+(\.\d+)?(_.*)?|max", "ns", Better.LOWER),
    _Rule(r"task-clock(:[uk]+)?", "ns", Better.LOWER),
    _Rule(r"(dram|pmem)-(read|write)-bytes", "B", Better.LOWER, is_count=True),
    _Rule(r"max_rss|peak_rss", "B", Better.LOWER),
    _Rule(r"(launch_)?peak_bytes|max_bytes_used", "B", Better.LOWER, is_count=True),
    _Rule(r"bytes_per_second", "B/s", Better.HIGHER, is_compared=False),
    _Rule(
        r"items_per_second|.*_per_second|throughput|.*ops_per_s",
        "1/s",
        Better.HIGHER,
        is_compared=False,
    ),
    _Rule(
        r"CallsTo\w+|(launch_)?(allocs|reallocs|frees)|allocs_per_iter|leaked",
        "1",
        Better.LOWER,
        is_count=True,
    ),
    _Rule(
        r"Memory(Allocated|Freed)|(freed_|launch_)?bytes|total_allocated_bytes",
        "B",
        Better.LOWER,
        is_count=True,
    ),
    _Rule(r"net_heap_growth|(launch_)?leaked_bytes", "B", Better.LOWER, is_count=True),
    _Rule(
        r"(instructions|cycles|branches|.*misses|.*faults|.*switches|.*migrations)(:[uk]+)?",
        "1",
        Better.LOWER,
        is_count=True,
    ),
)
_COMPILED = tuple((re.compile(rule.pattern), rule) for rule in _TABLE)


@lru_cache(maxsize=1024)  # `metric` is called for every row and every comparison
def metric(name: str) -> Metric:
    """The metric of this name; a name that the table lacks is a count without unit or direction."""
    for pattern, rule in _COMPILED:
        if pattern.fullmatch(name):
            return Metric(name, *rule[1:])
    return Metric(name, "1", Better.NEITHER, is_count=True)


def time_factor(unit: str, to: str) -> float:
    """How many `to` one `unit` is: `time_factor("ms", "us") == 1000.0`.

    Raises `InputError` for an unknown unit.
    """
    try:
        return TIME_UNITS_NS[unit] / TIME_UNITS_NS[to]
    except KeyError as error:
        raise InputError(
            f"unknown time unit {error.args[0]!r}", hint="use one of ns, us, ms, s"
        ) from None
