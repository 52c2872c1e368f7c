"""Histograms are read as the hdrhistogram package reads them, or refused."""

import random

import pytest
from hdrh.histogram import HdrHistogram

from assay.errors import InputError
from assay.record import hdr


def encoded(values: list[int], digits: int = 3, lowest: int = 1) -> tuple[HdrHistogram, str]:
    histogram = HdrHistogram(lowest, 10**10, digits)
    for value in values:
        histogram.record_value(value)
    return histogram, histogram.encode().decode()


@pytest.mark.parametrize(("digits", "lowest"), [(2, 1), (3, 1), (3, 1000), (1, 64)])
def test_values_and_counts_are_those_of_the_reference(digits: int, lowest: int) -> None:
    chance = random.Random(digits)
    values = [int(chance.lognormvariate(12, 2)) + lowest for _ in range(3_000)]
    reference, text = encoded(values, digits, lowest)
    ours = hdr.decode(text)
    theirs = [
        (item.value_iterated_to, item.count_added_in_this_iter_step)
        for item in reference.get_recorded_iterator()
    ]
    assert list(ours.counts) == theirs
    assert ours.total == len(values)


def test_percentiles_are_those_of_the_reference() -> None:
    chance = random.Random(1)
    reference, text = encoded([int(chance.lognormvariate(8, 1)) + 1 for _ in range(20_000)])
    points = hdr.decode(text).percentiles()
    for percentile in (50, 90, 99, 99.9):
        share = 1 - percentile / 100
        value = [v for above, v in points if above >= share][-1]
        assert value == pytest.approx(reference.get_value_at_percentile(percentile), rel=0.08)
    assert points[0][0] == 1.0
    assert points[-1][1] == reference.get_max_value()
    assert len(points) < 300


def test_merging_adds_recordings() -> None:
    _, one = encoded([5, 5, 70])
    _, two = encoded([5, 900])
    both = hdr.merged([hdr.decode(one), hdr.decode(two)])
    assert both.counts == ((5, 3), (70, 1), (900, 1))


@pytest.mark.parametrize("text", ["", "!!!", "AAAA", "HISTFAAAAA==", "a" * 99])
def test_what_is_no_histogram_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError, match="a histogram"):
        hdr.decode(text, where="here")


def test_a_damaged_histogram_is_refused() -> None:
    _, text = encoded([1, 2, 3])
    with pytest.raises(InputError):
        hdr.decode(text[: len(text) // 2] + "A" * (-(len(text) // 2) % 4))


def test_no_recordings_have_no_percentiles() -> None:
    _, text = encoded([])
    assert hdr.decode(text).percentiles() == []
