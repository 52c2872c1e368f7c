"""Histograms are read as the hdrhistogram package reads them, or refused."""

import base64
import random

import pytest
from hdrh.histogram import HdrHistogram

from assay.errors import InputError
from assay.record import hdr
from assay.record.rows import sample_from_rows


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
    both = hdr.merged_histogram([hdr.decode(one), hdr.decode(two)])
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


def test_what_is_encoded_is_what_the_reference_reads() -> None:
    chance = random.Random(5)
    values = [
        1,
        2,
        2047,
        2048,
        3_600_000_000_000,
        *(int(chance.lognormvariate(12, 4)) + 1 for _ in range(3_000)),
    ]
    reference = HdrHistogram(1, 3_600_000_000_000, 3)
    for value in values:
        reference.record_value(value)
    ours = hdr.decode(reference.encode().decode())
    text = hdr.encode(ours)
    assert list(HdrHistogram.decode(text.encode()).counts) == list(reference.counts)
    assert hdr.decode(text) == ours
    many = hdr.Histogram(((1, 1 << 62), (5, (1 << 55) + 1)))
    assert hdr.decode(hdr.encode(many)) == many


def test_repetitions_of_one_launch_are_kept_together() -> None:
    texts = [encoded(values)[1] for values in ([5, 5], [5, 900])]
    rows = [
        {
            "name": "x",
            "real_time": 1.0,
            "cpu_time": 1.0,
            "time_unit": "ns",
            "assay": {"histograms": {"latency": text}},
        }
        for text in texts
    ]
    together = sample_from_rows(rows, "here").histograms["latency"]
    assert hdr.decode(together).counts == ((5, 3), (900, 1))
    assert sample_from_rows(rows[:1], "here").histograms["latency"] == texts[0]


def test_another_kind_of_text_is_told_by_name() -> None:
    with pytest.raises(InputError) as refused:
        hdr.decode(base64.b64encode(bytes(8)).decode(), "f")
    said = "a histogram is no compressed HdrHistogram V2"
    assert str(refused.value) == f"f: {said}; measure again"
