"""Numbers, changes and names as every medium writes them, to the last character."""

import math

import msgspec
import pytest
from comparisons import row

from assay.model import Verdict
from assay.show.words import format

NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (NAN, "ns", "-"),
        (0.0, "ns", "0 ns"),
        (0.0123, "ns", "0.0123 ns"),
        (999.4, "ns", "999 ns"),
        (999.5, "ns", "1 us"),
        (1_000, "ns", "1 us"),
        (999_499, "ns", "999 us"),
        (1e6, "ns", "1 ms"),
        (999.6e6, "ns", "1 s"),
        (1e9, "ns", "1 s"),
        (5_000, "s", "5000 s"),
        (2.5, "us", "2.5 us"),
        (2.5e-3, "ms", "2.5 us"),
        (-1_500, "ns", "-1.5 us"),
        (0.0, "B", "0 B"),
        (1_023, "B", "1023 B"),
        (1_024, "B", "1 KiB"),
        (2.0**20, "B", "1 MiB"),
        (2.0**30, "B", "1 GiB"),
        (2.0**40, "B", "1024 GiB"),
        (999.4, "1", "999"),
        (1_000, "1", "1k"),
        (1e6, "1", "1M"),
        (1e9, "1", "1G"),
        (1e12, "1", "1T"),
        (1e15, "1", "1000T"),
        (1e30, "1", "1e+18T"),
        (500, "1/s", "500/s"),
        (1_500, "1/s", "1.5k/s"),
        (500, "B/s", "500 B/s"),
        (1_500, "B/s", "1.5kB/s"),
        (12.5, "widgets", "12.5 widgets"),
    ],
)
def test_a_quantity(value: float, unit: str, text: str) -> None:
    assert format.quantity(value, unit) == text


@pytest.mark.parametrize(
    ("value", "unit", "divisor", "shown"),
    [
        (1_500, "ns", 1e3, "us"),
        (1_500, "us", 1e3, "ms"),
        (0.5, "us", 1e-3, "ns"),
        (3e6, "B", 2.0**20, "MiB"),
        (5e4, "1", 1e3, "k"),
        (5e4, "1/s", 1e3, "k/s"),
        (5e4, "B/s", 1e3, "kB/s"),
        (5, "1", 1.0, ""),
    ],
)
def test_the_unit_of_an_axis(value: float, unit: str, divisor: float, shown: str) -> None:
    assert format.shown_unit(value, unit) == (pytest.approx(divisor), shown)


def test_times_are_sorted_in_nanoseconds_and_other_values_as_they_are() -> None:
    assert [format.in_ns(3.0, unit) for unit in ("ns", "us", "ms", "s", "B")] == [
        *(3.0, 3e3, 3e6, 3e9),
        3.0,
    ]


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (1_234_567.0, 1_234_567.0, ("1,234,567", "6,006.5")),
        (None, None, ("1.23M", "6.01k")),
        (0.0, 0.01, ("1.23M", "6.01k")),
    ],
)
def test_only_counts_of_instructions_that_never_vary_have_all_digits(
    low: float | None, high: float | None, shown: tuple[str, str]
) -> None:
    one = row(metric="instructions", unit="1", base=1_234_567.0, candidate=6_006.5)
    other = row(metric="allocs", unit="1", base=1_234_567.0, candidate=6_006.5, low=0.0, high=0.0)
    assert format.amounts(msgspec.structs.replace(one, low=low, high=high)) == shown
    assert format.amounts(other) == ("1.23M", "6.01k")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (6_006.0, "6,006"),
        (6_006.25, "6,006.25"),
        (9_999.99, "9,999.99"),
        (10_000.4, "10,000"),
        (1e15, "1e+15"),
        (NAN, "nan"),
    ],
)
def test_all_digits_of_a_count(value: float, text: str) -> None:
    one = row(metric="instructions", unit="1", base=value, candidate=value, low=0.0, high=0.0)
    assert format.amounts(one) == (text, text)


@pytest.mark.parametrize(
    ("fraction", "change", "points"),
    [
        (0.0, "+0.00 %", "0.00"),
        (-0.000001, "+0.00 %", "0.00"),
        (0.00994, "+0.99 %", "0.99"),
        (0.00995, "+1.0 %", "1.0"),
        (-0.00994, "-0.99 %", "-0.99"),
        (0.0512, "+5.1 %", "5.1"),
        (-0.2, "-20.0 %", "-20.0"),
        (8.99, "+899.0 %", "899.0"),
        (9.0, "x10", "900.0"),
        (22.0, "x23", "2200.0"),
        (998.4, "x999", "99840.0"),
        (998.6, "x1,000", "99860.0"),
        (2_272.0, "x2,273", "227200.0"),
        (1e14, "x100,000,000,000,001", "1e+16"),
        (1e15, "x1e+15", "1e+17"),
        (INF, "xinf", "inf"),
    ],
)
def test_a_change_is_a_percentage_or_a_factor(fraction: float, change: str, points: str) -> None:
    assert format.change(fraction) == change
    assert format.points(fraction) == points


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (None, 0.1, "-"),
        (0.1, None, "-"),
        (0.0, 0.0, "exact"),
        (0.01, 0.023, "+1.0 .. +2.3 %"),
        (-0.001, 8.9, "-0.10 .. +890.0 %"),
        (8.0, 9.0, "x9 .. x10"),
    ],
)
def test_an_interval(low: float | None, high: float | None, text: str) -> None:
    assert format.interval(low, high) == text
    assert format.interval_of(row(low=low, high=high)) == text
    single = text if text == "-" else f"{text} (single)"
    assert format.interval_of(row(low=low, high=high, single=True)) == single


def test_the_interval_of_a_value() -> None:
    assert format.quantity_interval(1.0, 2_000.0, "ns") == "1 ns .. 2 us"
    assert format.quantity_interval(None, 2.0, "ns") == "-"
    assert format.quantity_interval(1.0, None, "ns") == "-"


@pytest.mark.parametrize(
    ("fraction", "text"),
    [(0.02, "2 %"), (0.005, "0.5 %"), (0.12345, "12.3 %"), (1.0, "100 %"), (0.0, "0 %")],
)
def test_a_percentage(fraction: float, text: str) -> None:
    assert format.percent(fraction) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.4, "0 s"),
        (59.4, "59 s"),
        (59.6, "1 min 00 s"),
        (60, "1 min 00 s"),
        (185, "3 min 05 s"),
        (3_599, "59 min 59 s"),
        (3_600, "1 h 00 min"),
        (7_800, "2 h 10 min"),
        (100 * 3_600 + 59 * 60, "100 h 59 min"),
    ],
)
def test_a_duration(seconds: float, text: str) -> None:
    assert format.duration(seconds) == text


def test_the_line_of_a_record_has_the_seed_where_there_is_one() -> None:
    assert format.record_line("run:1") == "record: run:1"
    assert format.record_line("run:1", 0) == "record: run:1 (seed 0)"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain/8", "plain/8"),
        ("größer 日本", "größer 日本"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\nb\tc", "a\\x0ab\\x09c"),
        ("\x7f\x80\xff", "\\x7f\\x80ÿ"),
        ("a\u202eb", "a\\u202eb"),
        ("a\u2028b\u2029", "a\\u2028b\\u2029"),
        ("\ue000\ud800", "\\ue000\\ud800"),
        ("\ufdd0\uffff", "\\ufdd0\\uffff"),
    ],
)
def test_what_cannot_be_seen_is_escaped(text: str, shown: str) -> None:
    assert format.visible(text) == shown
    assert format.name(text) == shown


def test_a_long_name_loses_its_middle() -> None:
    whole = "".join(chr(ord("a") + number % 26) for number in range(130))
    assert format.name(whole[:120]) == whole[:120]
    assert format.name(whole[:121]) == f"{whole[:59]}…{whole[61:121]}"
    assert format.name(whole, 10) == f"{whole[:4]}…{whole[-5:]}"
    assert format.name(whole, 11) == f"{whole[:5]}…{whole[-5:]}"


@pytest.mark.parametrize(
    ("metric", "slower", "faster"),
    [
        ("real_time", "slower", "faster"),
        ("user_time", "slower", "faster"),
        ("p99", "slower", "faster"),
        ("max_rss", "larger", "smaller"),
        ("allocs", "more", "fewer"),
        ("items_per_second", "slower", "faster"),
        ("bytes_per_second", "slower", "faster"),
    ],
)
def test_a_verdict_fits_its_metric(metric: str, slower: str, faster: str) -> None:
    assert format.verdict_word(row(metric=metric, verdict=Verdict.SLOWER)) == slower
    assert format.verdict_word(row(metric=metric, verdict=Verdict.FASTER)) == faster
    assert format.verdict_word(row(metric=metric, verdict=Verdict.SAME)) == "same"


def test_a_number_with_its_noun() -> None:
    assert [format.count(number, "launch") for number in (0, 1, 1_200)] == [
        *("0 launches", "1 launch", "1,200 launches")
    ]
