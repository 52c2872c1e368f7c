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

import msgspec

from assay.errors import InputError

TIME_UNITS_NS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}


class Better(StrEnum):
    LOWER = "lower"
    HIGHER = "higher"
    NEITHER = "neither"


class Metric(msgspec.Struct, frozen=True):
    """What a metric is called, counted in, and whether less of it is better.

    `unit` is "time" for metrics counted in their row's time unit.
    """

    name: str
    unit: str
    better: Better
    counted: bool = False  # a count of events: may be exact, may be zero


TIME = "time"

# First match wins. Names are those of Google Benchmark, perf and our own library.
_TABLE: tuple[tuple[str, str, Better, bool], ...] = (
    (r"real_time|cpu_time|user_time|system_time|manual_time", TIME, Better.LOWER, False),
    (r"(.*_)?latency(_.*)?|p\d+(\.\d+)?(_.*)?|max", "ns", Better.LOWER, False),
    (r"task-clock(:[uk]+)?", "ns", Better.LOWER, False),
    (r"(dram|pmem)-(read|write)-bytes", "B", Better.LOWER, True),
    (r"max_rss|peak_rss", "B", Better.LOWER, False),
    (r"(launch_)?peak_bytes|max_bytes_used", "B", Better.LOWER, True),
    (r"bytes_per_second", "B/s", Better.HIGHER, False),
    (r"items_per_second|.*_per_second|throughput|.*ops_per_s", "1/s", Better.HIGHER, False),
    (
        r"CallsTo\w+|(launch_)?(allocs|reallocs|frees)|allocs_per_iter|leaked",
        "1",
        Better.LOWER,
        True,
    ),
    (
        r"Memory(Allocated|Freed)|(freed_|launch_)?bytes|total_allocated_bytes",
        "B",
        Better.LOWER,
        True,
    ),
    (r"net_heap_growth|(launch_)?leaked_bytes", "B", Better.LOWER, True),
    (
        r"(instructions|cycles|branches|.*misses|.*faults|.*switches|.*migrations)(:[uk]+)?",
        "1",
        Better.LOWER,
        True,
    ),
)
_RULES = tuple((re.compile(rule), unit, better, counted) for rule, unit, better, counted in _TABLE)


@lru_cache(maxsize=1024)  # asked for every row and every comparison
def metric(name: str) -> Metric:
    """Look `name` up; an unknown counter has neither unit nor direction."""
    for rule, unit, better, counted in _RULES:
        if rule.fullmatch(name):
            return Metric(name, unit, better, counted)
    return Metric(name, "1", Better.NEITHER, True)


def time_factor(unit: str, to: str) -> float:
    """How many `to` one `unit` is: `time_factor("ms", "us") == 1000.0`."""
    try:
        return TIME_UNITS_NS[unit] / TIME_UNITS_NS[to]
    except KeyError as error:
        raise InputError(
            f"unknown time unit {error.args[0]!r}", hint="use one of ns, us, ms, s"
        ) from None
