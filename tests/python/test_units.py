"""Every row of the table of metrics: its unit, its direction, and how a value of it is printed."""

import re

import pytest

from assay import units
from assay.errors import InputError
from assay.show.words import format
from assay.units import TIME, Better, metric, time_factor

LOWER, HIGHER, NEITHER = Better.LOWER, Better.HIGHER, Better.NEITHER
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
    "items_per_second": (HIGHER, "1.23k1/s", False, False),
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


@pytest.mark.parametrize(("unit", "to", "factor"), [("ms", "us", 1e3), ("s", "ns", 1e9)])
def test_times_are_converted(unit: str, to: str, factor: float) -> None:
    assert time_factor(unit, to) == factor


def test_no_other_unit_is_a_time() -> None:
    with pytest.raises(InputError, match="unknown time unit 'J'"):
        time_factor("J", "ns")
