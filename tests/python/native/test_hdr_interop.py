"""Histograms of the native library and of the hdrhistogram package are the same text."""

import random
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hdrh.histogram import HdrHistogram

from assay.record import hdr

Native = Callable[[str], Path]
HIGHEST_NS = 3_600_000_000_000
Counts = dict[int, int]


def few(_: random.Random) -> Counts:
    return {1: 1, 2047: 3, 2048: 1, 2049: 2, 5_000_000: 1, HIGHEST_NS: 7}


def four_decades(chance: random.Random) -> Counts:
    return Counter(int(10 ** chance.uniform(2, 6)) for _ in range(20_000))


def whole_range(chance: random.Random) -> Counts:
    return Counter(int(10 ** chance.uniform(0, 12.55)) for _ in range(20_000))


def large_counts(chance: random.Random) -> Counts:
    return {3**power: chance.getrandbits(power + 1) + 1 for power in range(26)}


SHAPES = (few, four_decades, whole_range, large_counts)


def reference(counts: Counts) -> HdrHistogram:
    histogram = HdrHistogram(1, HIGHEST_NS, 3)
    for value, count in counts.items():
        assert histogram.record_value(value, count)
    return histogram


def tool(native: Native, verb: str, text: str) -> subprocess.CompletedProcess[str]:
    command = [native("hdr_tool"), verb]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("shape", SHAPES)
def test_what_we_encode_decodes_there_to_the_same_counts(
    native: Native, shape: Callable[[random.Random], Counts]
) -> None:
    counts = shape(random.Random(1729))
    done = tool(native, "encode", "".join(f"{v} {n}\n" for v, n in counts.items()))
    assert done.returncode == 0, done.stderr
    theirs = HdrHistogram.decode(done.stdout.strip())
    expected = reference(counts)
    assert theirs.get_total_count() == sum(counts.values())
    assert list(theirs.counts) == list(expected.counts)
    assert theirs.get_value_at_percentile(99) == expected.get_value_at_percentile(99)
    assert hdr.decode(done.stdout.strip()).total == sum(counts.values())


@pytest.mark.parametrize("shape", SHAPES)
def test_what_they_encode_decodes_here_to_the_same_counts(
    native: Native, shape: Callable[[random.Random], Counts]
) -> None:
    theirs = reference(shape(random.Random(7)))
    done = tool(native, "decode", theirs.encode().decode())
    assert done.returncode == 0, done.stderr
    ours = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    expected = [
        (item.value_iterated_to, item.count_added_in_this_iter_step)
        for item in theirs.get_recorded_iterator()
    ]
    assert ours == expected


@pytest.mark.parametrize(("lowest", "digits"), [(1, 2), (1000, 3)])
def test_other_layouts_are_refused_by_name(native: Native, lowest: int, digits: int) -> None:
    histogram = HdrHistogram(lowest, HIGHEST_NS, digits)
    histogram.record_value(123_456)
    done = tool(native, "decode", histogram.encode().decode())
    assert done.returncode == 1
    assert "3 significant digits" in done.stderr
