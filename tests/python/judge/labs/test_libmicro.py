"""libMicro's statistics and histogram, by hand. Its text: workflows/os_lab/test_libmicro.py."""

import pytest

from assay.judge.labs.libmicro import histogram_of, statistics_of


def test_statistics_of_one_to_a_hundred() -> None:
    found = statistics_of([tuple(float(n) for n in range(100, 0, -1))])
    assert (found.samples, found.launches) == (100, 1)
    assert (found.min_ns, found.max_ns, found.mean_ns) == (1, 100, 50.5)
    assert found.median_ns == 51  # the upper of the two middle ones
    assert (found.p95_ns, found.p99_ns) == (96, 100)
    assert found.stddev_ns == pytest.approx(29.0115, abs=1e-4)
    assert (found.typical_ns, found.low_ns, found.high_ns) == (51, 40, 61)


def test_figure_is_of_the_launches_and_the_rest_of_all_samples() -> None:
    found = statistics_of([(each + 5, each, each - 5) for each in (16.0, 10, 16, 11, 12, 30)])
    assert found.typical_ns == 13.75
    assert (found.min_ns, found.max_ns, found.samples, found.launches) == (5, 35, 18, 6)


def test_values_are_added_one_after_the_other() -> None:
    """Numpy and the `sum` of Python 3.12 say 1.0, and so another mean."""
    assert statistics_of([(0.1,) * 10]).mean_ns == 0.9999999999999999 / 10


def test_histogram_has_steps_of_one_digit_and_a_tail() -> None:
    found = histogram_of([float(n) for n in range(100, 200)])
    assert [bucket.from_ns for bucket in found.buckets[:3]] == [100, 104, 108]
    assert [bucket.count for bucket in found.buckets] == [4] * 23 + [3]
    assert found.fullest_count == 4
    assert found.buckets[1].mean_ns == 105.5
    assert (found.tail.count, found.tail.mean_ns) == (5, 197)
    assert found.body_mean_ns == 147


def test_histogram_of_equal_samples_is_one_bucket() -> None:
    found = histogram_of([2.5] * 40)
    assert [bucket.count for bucket in found.buckets] == [38]
    assert found.tail.count == 2


def test_one_sample() -> None:
    found = statistics_of([(5.0,)])
    assert (found.mean_ns, found.stddev_ns, found.low_ns, found.high_ns) == (5, 0, 5, 5)
    assert (found.histogram.buckets[0].count, found.histogram.tail.count) == (1, 0)


def test_buckets_are_one_digit_of_whatever_size() -> None:
    found = histogram_of([100 + n / 100 for n in range(100)])
    assert [bucket.from_ns for bucket in found.buckets[:3]] == pytest.approx([100, 100.04, 100.08])
    alike = histogram_of([2.501] * 40)
    assert alike.buckets[0].from_ns == pytest.approx(2.501)


def test_a_range_that_31_buckets_cover_may_lie_across_32() -> None:
    ordered = [0.75 + n for n in range(32)] * 2
    found = histogram_of(sorted(ordered) + [99.0] * 4)
    assert [bucket.count for bucket in found.buckets] == [2] * 32
    assert found.tail.count == 4


def test_of_two_samples_one_is_in_a_bucket() -> None:
    found = histogram_of([1.0, 9.0])
    assert (found.buckets[0].count, found.tail.count, found.body_mean_ns) == (1, 1, 1.0)
    assert found.buckets[0].mean_ns == 1.0
    assert histogram_of([1.0]).tail.mean_ns == 0.0
