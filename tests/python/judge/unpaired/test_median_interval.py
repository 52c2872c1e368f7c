"""A file's number for a benchmark, and an interval that covers as often as it says."""

import numpy as np
import pytest

from assay.judge.unpaired.median_interval import MedianInterval, median_interval, ratio_interval


def test_the_value_is_the_median_and_one_sample_is_itself() -> None:
    assert median_interval([(590.2,)], "real_time") == MedianInterval(590.2)
    assert median_interval([(3.0, 1.0, 2.0)], "real_time").value == 2.0
    assert median_interval([(4.0, 1.0), (2.0, 3.0)], "real_time").value == 2.5
    launches = [(float(i), i + 10.0, i + 20.0) for i in range(9)]
    # It is the median of launches, of which each is told by the lowest third of its samples.
    assert median_interval(launches, "real_time").value == 4.0


@pytest.mark.parametrize(("count", "known"), [(6, False), (7, True), (500, True)])
def test_there_is_an_interval_from_seven_on(count: int, known: bool) -> None:
    values = tuple(float(i) for i in range(count))
    one = median_interval([values], "real_time")
    assert (one.low is not None) is known
    if known:
        assert one.low is not None
        assert one.high is not None
        assert one.low < one.value < one.high


@pytest.mark.parametrize("count", [7, 10, 30, 101])
def test_ratios_are_covered_as_often_as_promised(count: int) -> None:
    chance = np.random.default_rng(count)
    inside = 0
    for _ in range(2_000):
        base = median_interval([tuple(chance.lognormal(0.0, 0.5, count).tolist())], "real_time")
        other = median_interval(
            [tuple((2.0 * chance.lognormal(0.0, 0.5, count)).tolist())], "real_time"
        )
        ends = ratio_interval(base, other)
        assert ends is not None
        inside += ends[0] <= 2.0 <= ends[1]
    assert inside >= 0.95 * 2_000
    assert inside < 2_000 or count == 7  # not so wide as to say nothing


def test_no_interval_without_both_ends() -> None:
    known, single = (
        median_interval([tuple(map(float, range(1, 20)))], "real_time"),
        MedianInterval(3.0),
    )
    assert ratio_interval(known, single) is None
    assert ratio_interval(single, known) is None
    assert ratio_interval(median_interval([(0.0,) * 9], "real_time"), known) is None


@pytest.mark.parametrize(
    ("count", "low", "high"),
    [(7, 0, 6), (8, 0, 7), (9, 0, 8), (10, 1, 8), (20, 4, 15), (100, 38, 61)],
)
def test_the_ends_are_those_of_the_binomial_distribution(count: int, low: int, high: int) -> None:
    """At most 1.25 % of the chance lies outside at each end: 11 / 1024 of ten values."""
    one = median_interval([tuple(float(i) for i in range(count))], "real_time")
    assert (one.low, one.high) == (low, high)


def test_seven_launches_are_told_by_launch_and_six_by_repetition() -> None:
    seven = median_interval([(float(i), i + 10.0, i + 20.0) for i in range(7)], "real_time")
    assert seven == MedianInterval(3.0, 0.0, 6.0, 7)
    six = median_interval([(float(i), i + 100.0) for i in range(6)], "real_time")
    assert six == MedianInterval(52.5, 1.0, 104.0, 6)
    assert median_interval([(4.0,)], "real_time").launches == 1
    assert median_interval([(4.0, 5.0)], "real_time") == MedianInterval(4.5, launches=1)


def test_a_ratio_lies_between_those_of_opposite_ends() -> None:
    reference, other = MedianInterval(0.5, 0.25, 1.0), MedianInterval(4.0, 2.0, 6.0)
    assert ratio_interval(reference, other) == (2.0, 24.0)
    assert ratio_interval(MedianInterval(0.5, -0.25, 1.0), other) is None
    assert ratio_interval(reference, MedianInterval(4.0, 2.0)) is None
    assert ratio_interval(MedianInterval(0.5, 0.25), other) is None
