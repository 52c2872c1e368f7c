"""What is known of a metric by its name alone, and how time units are converted."""

import re

import pytest

from assay import units
from assay.errors import InputError
from assay.show.words import format
from assay.units import TIME, TIME_UNITS_NS, Better, Metric, metric, time_factor

TIMES = ("real_time", "cpu_time")
TIMES_BESIDE = ("user_time", "system_time", "manual_time")
IN_NS = ("latency", "read_latency", "latency_p99", "p50", "p99.9", "p99.9_read", "max")
CLOCKS = ("task-clock", "task-clock:u")
PEAKS = ("max_rss", "peak_rss")
COUNTED_BYTES = (
    "dram-read-bytes", "pmem-write-bytes", "peak_bytes", "launch_peak_bytes", "max_bytes_used",
    "MemoryAllocated", "MemoryFreed", "bytes", "freed_bytes", "launch_bytes",
    "total_allocated_bytes", "net_heap_growth", "leaked_bytes", "launch_leaked_bytes",
)  # fmt: skip
RATES = ("items_per_second", "frames_per_second", "throughput", "ops_per_s", "read_ops_per_s")
EVENTS = (
    "CallsToMalloc", "allocs", "launch_reallocs", "frees", "allocs_per_iter", "leaked",
    "instructions", "instructions:u", "cycles:uk", "branches", "branch-misses", "page-faults",
    "context-switches", "cpu-migrations",
)  # fmt: skip
UNKNOWN = ("widgets", "instructions:h", "a max", "maximum", "times", "p", "bytes_freed")

LOWER, HIGHER, NEITHER = Better.LOWER, Better.HIGHER, Better.NEITHER


@pytest.mark.parametrize(
    ("names", "unit", "better", "is_count", "is_compared"),
    [
        (TIMES, TIME, LOWER, False, True),
        (TIMES_BESIDE, TIME, LOWER, False, False),
        (IN_NS + CLOCKS, "ns", LOWER, False, True),
        (PEAKS, "B", LOWER, False, True),
        (COUNTED_BYTES, "B", LOWER, True, True),
        (("bytes_per_second",), "B/s", HIGHER, False, False),
        (RATES, "1/s", HIGHER, False, False),
        (EVENTS, "1", LOWER, True, True),
        (UNKNOWN, "1", NEITHER, True, True),
    ],
)
def test_a_name_says_unit_and_direction(
    names: tuple[str, ...], unit: str, better: Better, is_count: bool, is_compared: bool
) -> None:
    for name in names:
        assert metric(name) == Metric(name, unit, better, is_count, is_compared)


# A name of each row: which direction is better, 1234.5 of it, whether it is compared by default,
# and whether it is a count. Times are given in us, which is the unit of their row.
ROWS = {
    "real_time": (LOWER, "1.23 ms", True, False),
    "user_time": (LOWER, "1.23 ms", False, False),
    "p99": (LOWER, "1.23 us", True, False),
    "task-clock:u": (LOWER, "1.23 us", True, False),
    "pmem-read-bytes": (LOWER, "1.21 KiB", True, True),
    "max_rss": (LOWER, "1.21 KiB", True, False),
    "peak_bytes": (LOWER, "1.21 KiB", True, True),
    "bytes_per_second": (HIGHER, "1.23kB/s", False, False),
    "items_per_second": (HIGHER, "1.23k/s", False, False),
    "CallsToAlloc": (LOWER, "1.23k", True, True),
    "MemoryAllocated": (LOWER, "1.21 KiB", True, True),
    "net_heap_growth": (LOWER, "1.21 KiB", True, True),
    "cache-misses": (LOWER, "1.23k", True, True),
    "no row has this": (NEITHER, "1.23k", True, True),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_metric_of_each_row(name: str) -> None:
    one = metric(name)
    printed = format.quantity(1234.5, "us" if one.unit == TIME else one.unit)
    assert (one.better, printed, one.is_compared, one.is_count) == ROWS[name]


def test_every_row_is_tried_and_none_is_hidden_by_one_before_it() -> None:
    fitting = [
        [at for at, rule in enumerate(units._TABLE) if re.fullmatch(rule.pattern, name)]
        for name in ROWS
    ]
    assert {some[0] for some in fitting if some} == set(range(len(units._TABLE)))


def test_a_metric_of_which_nothing_else_is_said_is_compared_and_no_count() -> None:
    plain = Metric("any", "B", Better.LOWER)
    assert not plain.is_count
    assert plain.is_compared


def test_time_units_are_converted_into_each_other() -> None:
    assert TIME_UNITS_NS == {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
    assert time_factor("ms", "us") == 1000.0
    assert time_factor("us", "s") == 1e-6
    assert time_factor("ns", "ns") == 1.0


@pytest.mark.parametrize(("unit", "to"), [("min", "s"), ("s", "min")])
def test_an_unknown_time_unit_is_refused_with_those_there_are(unit: str, to: str) -> None:
    with pytest.raises(InputError) as refused:
        time_factor(unit, to)
    assert str(refused.value) == "unknown time unit 'min'; use one of ns, us, ms, s"
    assert refused.value.hint == "use one of ns, us, ms, s"
