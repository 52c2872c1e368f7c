"""Metrics: their units and which way is better. The one table.

    >>> metric("real_time").better
    <Better.LOWER: 'lower'>
    >>> metric("items_per_second").better
    <Better.HIGHER: 'higher'>

A counter nobody has heard of has no better direction (`Better.NEITHER`): a
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
    LOWER = "lower"
    HIGHER = "higher"
    NEITHER = "neither"


class Metric(msgspec.Struct, frozen=True):
    """What a metric is called, counted in, and whether less of it is better.

    `unit` is "time" for metrics counted in their row's time unit. Unit, direction and whether
    it is compared unasked are three things: none follows from another.
    """

    name: str
    unit: str
    better: Better
    is_count: bool = False  # of events: may be exact, may be zero
    is_compared: bool = True  # also when nobody asked for it


TIME = "time"


class _Rule(NamedTuple):
    """A row of the table: what is known of the metrics whose whole name a pattern fits."""

    pattern: str
    unit: str
    better: Better
    is_count: bool = False
    is_compared: bool = True


# First match wins. Names are those of Google Benchmark, perf and our own library. Not compared
# unasked is what says again what a time says: each comparison more costs all others certainty.
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


@lru_cache(maxsize=1024)  # asked for every row and every comparison
def metric(name: str) -> Metric:
    """Look `name` up; an unknown counter has neither unit nor direction."""
    for pattern, rule in _COMPILED:
        if pattern.fullmatch(name):
            return Metric(name, *rule[1:])
    return Metric(name, "1", Better.NEITHER, is_count=True)


def time_factor(unit: str, to: str) -> float:
    """How many `to` one `unit` is: `time_factor("ms", "us") == 1000.0`."""
    try:
        return TIME_UNITS_NS[unit] / TIME_UNITS_NS[to]
    except KeyError as error:
        raise InputError(
            f"unknown time unit {error.args[0]!r}", hint="use one of ns, us, ms, s"
        ) from None
