"""Histograms are read as the hdrhistogram package reads them, or refused."""

import base64
import math
import random
import struct
import zlib

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


def packed(payload: bytes, length: int | None = None, **changed: object) -> str:
    """A histogram of these bytes; of three digits from 1 on, but for what is changed."""
    header: dict[str, object] = {
        "cookie": 0x1C849313, "length": len(payload) if length is None else length, "offset": 0,
        "digits": 3, "lowest": 1, "highest": 3_600_000_000_000, "ratio": 1.0,
    }  # fmt: skip
    plain = struct.pack(">iiiiqqd", *(header | changed).values()) + payload
    inside = zlib.compress(plain)
    return base64.b64encode(struct.pack(">ii", 0x1C849314, len(inside)) + inside).decode()


def number(value: int) -> bytes:
    """ZigZag of a number of less than seven bits: 0, -1, 1, -2 are 0, 1, 2, 3."""
    return bytes([2 * value if value >= 0 else -2 * value - 1])


def test_a_text_cut_anywhere_is_refused_and_is_no_smaller_histogram() -> None:
    chance = random.Random(2)
    _, text = encoded([int(chance.lognormvariate(8, 2)) + 1 for _ in range(500)])
    data = base64.b64decode(text)
    for end in range(len(data)):
        with pytest.raises(InputError, match="is cut short or damaged"):
            hdr.decode(base64.b64encode(data[:end]).decode())


SAID_SO = [
    (
        packed(number(5), 2),
        "is cut short or damaged (its last counts are missing)",
    ),
    (packed(b"\x80"), "is cut short or damaged (index out of range)"),
    (packed(b"", digits=6), "holds no HdrHistogram V2"),
    (packed(b"", digits=-1), "holds no HdrHistogram V2"),
    (packed(b"", lowest=0), "holds no HdrHistogram V2"),
    (packed(b"", cookie=0x1C849314), "holds no HdrHistogram V2"),
    (packed(b"", ratio=2.0), "holds a histogram of fractions, which is not supported"),
    (packed(b"\xff" * 9 + number(1)), "is cut short or damaged (a value beyond 64 bits)"),
    (
        base64.b64encode(struct.pack(">ii", 0x1C849314, 8)).decode(),
        "is cut short or damaged (its end is missing)",
    ),
]


@pytest.mark.parametrize(("text", "said"), SAID_SO, ids=[str(n) for n in range(len(SAID_SO))])
def test_each_refusal_says_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        hdr.decode(text, "f")
    assert str(refused.value) == f"f: a histogram {said}; measure again"


def test_a_text_with_anything_beside_base64_is_refused() -> None:
    text = packed(number(5))
    assert hdr.decode(text).total == 5
    for other in (f"{text}\n", f"!{text}", text.replace("A", "A\n", 1)):
        with pytest.raises(InputError, match="is cut short or damaged"):
            hdr.decode(other)


def test_more_than_sixteen_megabytes_are_refused() -> None:
    with pytest.raises(InputError, match="a histogram unpacks to more than 16,777,216 bytes"):
        hdr.decode(packed(bytes(1 << 24)))


@pytest.mark.parametrize(
    ("changes", "counts"),
    [
        ({}, ((0, 1), (2, 3))),
        ({"digits": 5}, ((0, 1), (2, 3))),
        ({"digits": 0}, ((0, 1), (3, 3))),
        ({"lowest": 1_000}, ((511, 1), (1_535, 3))),
        ({"cookie": 0x1C849303}, ((0, 1), (2, 3))),
    ],
)
def test_the_header_says_how_wide_buckets_are(
    changes: dict[str, object], counts: tuple[tuple[int, int], ...]
) -> None:
    text = packed(number(1) + number(-1) + number(3), **changes)
    assert hdr.decode(text).counts == counts


def test_buckets_go_up_to_sixty_six_doublings() -> None:
    """With three digits, each doubling has 1024 buckets."""
    empty = hdr._number(1 - 66 * 1_024)
    assert hdr.decode(packed(empty + number(7))).counts == ((2**75 - 1, 7),)
    with pytest.raises(InputError, match="a value beyond 64 bits"):
        hdr.decode(packed(empty + number(7) + number(7)))


@pytest.mark.parametrize(
    ("value", "encoded_as"),
    [
        (0, "00"),
        (-1, "01"),
        (1, "02"),
        (63, "7e"),
        (-64, "7f"),
        (64, "8001"),
        (8_191, "fe7f"),
        (8_192, "808001"),
        (2**55 - 1, "feffffffffffff7f"),
        (2**55, "808080808080808001"),
        (2**62, "808080808080808080"),
        (2**63 - 1, "feffffffffffffffff"),
    ],
)
def test_a_number_takes_as_few_bytes_as_the_format_has(value: int, encoded_as: str) -> None:
    assert hdr._number(value).hex() == encoded_as
    assert list(hdr._numbers(bytes.fromhex(encoded_as))) == [value]


def test_the_bytes_that_are_written() -> None:
    """An empty bucket is a 0, several together are a negative number."""
    made = base64.b64decode(hdr.encode(hdr.Histogram(((1, 5), (3, 6), (7, 9)))))
    assert struct.unpack_from(">ii", made) == (0x1C849314, len(made) - 8)
    plain = zlib.decompress(made[8:])
    counts = [0, 5, 0, 6, -3, 9]
    header = (0x1C849313, len(counts), 0, 3, 1, 3_600_000_000_000, 1.0)
    assert struct.unpack_from(">iiiiqqd", plain) == header
    assert plain[40:] == b"".join(map(number, counts))


@pytest.mark.parametrize(
    ("counts", "points"),
    [
        ([(1, 1), (2, 1), (4, 2)], [(1.0, 1), (0.75, 2), (0.5, 4)]),
        ([(1, 3)], [(1.0, 1)]),
        ([(1, 1), (2, 1), (3, 998)], [(1.0, 1), (0.998, 3)]),
        ([(1, 1), (2, 99), (3, 900)], [(1.0, 1), (0.9, 3)]),
    ],
)
def test_points_that_a_chart_cannot_tell_apart_are_one(
    counts: list[tuple[int, int]], points: list[tuple[float, int]]
) -> None:
    assert hdr.Histogram(tuple(counts)).percentiles() == points


def test_a_curve_down_to_one_in_ten_millions_has_240_points() -> None:
    counts = tuple((value, round(1e9 * math.exp(-value / 1_000))) for value in range(17_000))
    points = hdr.Histogram(counts).percentiles()
    assert 235 <= sum(share >= 1e-7 for share, _ in points) <= 240
