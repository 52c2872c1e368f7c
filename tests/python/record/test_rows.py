"""Rows of Google Benchmark's JSON become samples, samples become rows, and both are checked."""

import math
from typing import Any

import msgspec
import pytest

from assay.errors import InputError
from assay.model import Sample, Side
from assay.record.rows import (
    PlainRow,
    checked_series,
    checked_time,
    checked_unit,
    row_from_sample,
    sample_from_rows,
)

REMAKE = "make the file again with --benchmark_out_format=json"
PLAIN = {"name": "a", "real_time": 2.0, "cpu_time": 1.0}
LARGEST_COUNT = 2**63 - 1


def sample(*rows: dict[str, Any]) -> Sample:
    """Of rows that each are plain, but for what is given."""
    return sample_from_rows([{**PLAIN, **row} for row in rows], "f")


def refusal(*rows: dict[str, Any]) -> str:
    with pytest.raises(InputError) as refused:
        sample(*rows)
    return str(refused.value)


def test_a_plain_row() -> None:
    assert sample({}) == Sample(
        benchmark="a",
        values={"real_time": (2.0,), "cpu_time": (1.0,)},
        time_unit="ns",
        iterations=0,
        threads=1,
    )


def test_repetitions_are_one_sample_that_has_what_the_first_says() -> None:
    first = {"time_unit": "us", "iterations": 7.0, "threads": 2, "label": "x"}
    one = sample(first, {"real_time": 3, "cpu_time": 0, "iterations": 9, "label": "y"})
    assert one.values == {"real_time": (2.0, 3.0), "cpu_time": (1.0, 0.0)}
    assert (one.time_unit, one.iterations, one.threads, one.label) == ("us", 7, 2, "x")


@pytest.mark.parametrize(
    ("rows", "counters"),
    [
        ([{"b": 1, "a": 2.5}], {"a": (2.5,), "b": (1.0,)}),
        ([{"a": 1}, {"a": 2}], {"a": (1.0, 2.0)}),
        ([{"a": 1}, {}], {}),
        ([{}, {"a": 1}], {}),
        ([{"a": math.nan}], {}),
        ([{"a": math.inf}], {}),
        ([{"a": -math.inf}], {}),
        ([{"a": 10**400}], {}),
        ([{"a": True}], {}),
        ([{"a": "1"}], {}),
        ([{"a": None}], {}),
        ([{"a": -1}], {"a": (-1.0,)}),
        ([{"rms": 1.0, "family_index": 3, "repetitions": 2}], {}),
    ],
)
def test_counters_are_all_other_numbers(
    rows: list[dict[str, Any]], counters: dict[str, tuple[float, ...]]
) -> None:
    one = sample(*rows)
    assert {k: v for k, v in one.values.items() if k not in PLAIN} == counters
    assert list(one.values)[: len(counters)] == list(counters)


def test_what_assay_wrote_stands_before_the_means_that_others_read() -> None:
    own = {
        "samples": {"real_time": [1.0, 3.0], "extra": []},
        "histograms": {"latency": "text"},
        "series": {"rss": {"t": [0.0], "v": [1.0], "units": ["s", "B"], "more": 1}},
        "memory": {"allocs": 3, "bytes": 64.0, "threads": 8, "max": "x", "nan": math.nan},
        "side": "base",
        "condition": "c",
        "round": 1,
        "launch": 2,
        "position": 0,
        "started_s": 0.5,
        "steal": 0.0,
        "load": 1.5,
        "cpu": None,
    }
    assert sample({"assay": own}) == Sample(
        benchmark="a",
        values={"real_time": (1.0, 3.0), "extra": (), "allocs": (3.0,), "bytes": (64.0,)},
        threads=1,
        histograms={"latency": "text"},
        series={"rss": {"t": [0.0], "v": [1.0], "units": ["s", "B"], "more": 1}},
        side=Side.BASE,
        condition="c",
        round=1,
        launch=2,
        position=0,
        started_s=0.5,
        steal=0.0,
        load=1.5,
    )


@pytest.mark.parametrize("own", [None, {}, {"samples": {}}])
def test_without_samples_of_its_own_a_row_has_the_times_beside_it(own: Any) -> None:
    assert sample({"assay": own}).values == {"real_time": (2.0,), "cpu_time": (1.0,)}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"name": None}, f"a row of `benchmarks` has no name; {REMAKE}"),
        ({"real_time": None}, f"benchmark 'a' has no real_time; {REMAKE}"),
        ({"cpu_time": "1"}, f"benchmark 'a' has no cpu_time; {REMAKE}"),
        ({"real_time": True}, f"benchmark 'a' has no real_time; {REMAKE}"),
        ({"real_time": -1.0}, f"benchmark 'a' has real_time = -1.0; {REMAKE}"),
        ({"real_time": math.nan}, f"benchmark 'a' has real_time = nan; {REMAKE}"),
        ({"cpu_time": math.inf}, f"benchmark 'a' has cpu_time = inf; {REMAKE}"),
        ({"time_unit": "h"}, "benchmark 'a' has time_unit 'h'; use one of ns, us, ms, s"),
        (
            {"real_time": 10**400},
            "benchmark 'a' has a value of another type (int too large to convert to float); "
            f"{REMAKE}",
        ),
        (
            {"iterations": -1},
            "benchmark 'a' has a value of another type (-1 of something that is counted); "
            f"{REMAKE}",
        ),
        (
            {"threads": 2**63},
            "benchmark 'a' has a value of another type (9.22e+18 of something that is counted); "
            f"{REMAKE}",
        ),
        (
            {"assay": {"samples": {"real_time": [1.0, math.nan]}}},
            f"benchmark 'a' has a value of another type (real_time holds what is no number); "
            f"{REMAKE}",
        ),
        (
            {"assay": {"series": {"rss": {"t": [0.0, 1.0], "v": [1.0]}}}},
            f"benchmark 'a': series 'rss' has not as many 'v' as 't'; {REMAKE}",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_the_benchmark(row: dict[str, Any], said: str) -> None:
    assert refusal(row) == f"f: {said}"


def test_only_the_repetition_that_is_wrong_is_told() -> None:
    assert refusal({}, {"real_time": -3.0}) == f"f: benchmark 'a' has real_time = -3.0; {REMAKE}"


@pytest.mark.parametrize(
    ("own", "is_taken"),
    [
        ({"launch": 2**31 - 1}, True),
        ({"launch": 2**31}, False),
        ({"cpu": -(2**31)}, True),
        ({"cpu": -(2**31) - 1}, False),
        ({"side": "neither"}, False),
        ({"samples": {"a": "x"}}, False),
    ],
)
def test_fields_of_a_row_that_assay_wrote_are_checked(
    own: dict[str, Any], *, is_taken: bool
) -> None:
    if is_taken:
        assert sample({"assay": own})
    else:
        assert refusal({"assay": own}).startswith("f: is not a row of Assay ('a')")


def test_counts_as_large_as_a_store_can_hold() -> None:
    one = sample({"iterations": LARGEST_COUNT, "threads": LARGEST_COUNT})
    assert (one.iterations, one.threads) == (LARGEST_COUNT, LARGEST_COUNT)
    none = sample({"iterations": None, "threads": 0, "label": None})
    assert (none.iterations, none.threads, none.label) == (0, 1, "")


def test_a_sample_is_a_row_that_other_tools_can_read() -> None:
    one = Sample(
        benchmark="a",
        values={"real_time": (1.0, 2.0), "cpu_time": (), "allocs": (3.0, 5.0), "label": (9.0,)},
        time_unit="us",
        iterations=7,
        threads=2,
        label="x",
        histograms={"latency": "text"},
        series={"rss": {"t": [], "v": []}},
        side=Side.CANDIDATE,
        launch=3,
        steal=0.0,
    )
    row = row_from_sample(one, 3, 10)
    assert row == {
        "name": "a",
        "run_name": "a",
        "run_type": "iteration",
        "repetitions": 10,
        "repetition_index": 3,
        "threads": 2,
        "iterations": 7,
        "real_time": 1.5,
        "time_unit": "us",
        "label": "x",
        "allocs": 4.0,
        "assay": {
            "samples": {
                "real_time": [1.0, 2.0],
                "cpu_time": [],
                "allocs": [3.0, 5.0],
                "label": [9.0],
            },
            "side": "candidate",
            "launch": 3,
            "steal": 0.0,
            "histograms": {"latency": "text"},
            "series": {"rss": {"t": [], "v": []}},
        },
    }
    assert sample_from_rows([row], "f") == one


def test_a_sample_with_nothing_beside_its_values_has_a_row_without_them() -> None:
    row = row_from_sample(Sample(benchmark="a", values={"real_time": (1.0,)}), 0, 1)
    assert "label" not in row
    assert row["assay"] == {"samples": {"real_time": [1.0]}, "launch": 0}


def test_series_keep_all_their_keys() -> None:
    series = {"rss": {"t": [0], "v": [1.5], "other": "x"}}
    assert checked_series(series, "f", "BM_a") == series
    with pytest.raises(InputError, match="is not the series of BM_a"):
        checked_series({"rss": {"t": [0]}}, "f", "BM_a")


def test_times_and_units_by_themselves() -> None:
    assert checked_time(3, "a", "real_time", "f") == 3.0
    assert checked_time(0, "a", "real_time", "f") == 0.0
    assert [checked_unit(unit, "a", "f") for unit in ("ns", "us", "ms", "s")] == [
        *("ns", "us", "ms", "s")
    ]


def test_a_plain_row_that_says_little_says_what_a_sample_would() -> None:
    row, one = PlainRow("a"), sample({})
    assert (row.time_unit, row.iterations, row.threads, row.label) == (
        *(one.time_unit, one.iterations),
        *(one.threads, one.label),
    )
    indices = row.family_index, row.per_family_instance_index, row.repetition_index
    assert (indices, row.repetitions) == ((0, 0, 0), 0)


@pytest.mark.parametrize(
    ("counts", "is_plain"),
    [
        ({"iterations": 0, "threads": 1}, True),
        ({"iterations": 2**62, "threads": LARGEST_COUNT}, True),
        ({"iterations": -1}, False),
        ({"iterations": 2**63}, False),
        ({"threads": 0}, False),
        ({"threads": 2**63}, False),
        ({"foo": 1}, False),
    ],
)
def test_rows_with_other_counts_or_keys_are_not_plain(
    counts: dict[str, Any], *, is_plain: bool
) -> None:
    if is_plain:
        assert msgspec.convert({"name": "a", **counts}, PlainRow)
        return
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"name": "a", **counts}, PlainRow)
