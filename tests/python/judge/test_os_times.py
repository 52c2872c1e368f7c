"""A run's figure and its interval, against what is known of them."""

import math
import random
from itertools import accumulate

import pytest

from assay.judge.os_times import figure, median_ranks, middle, os_times
from assay.model import Sample


def sample(times: tuple[float, ...], launch: int = 0, name: str = "nop") -> Sample:
    counters = {"processes": (2.0,), "calls_per_sample": (100.0,)}
    return Sample(benchmark=name, values={"real_time": times, **counters}, launch=launch, threads=6)


@pytest.mark.parametrize("samples", [1, 2, 5, 6, 10, 36, 57, 100, 999])
def test_ranks_are_the_narrowest_with_the_coverage(samples: int) -> None:
    ways = [math.comb(samples, k) for k in range(samples + 1)]
    at_most, every = list(accumulate(ways)), 2**samples
    low, high = median_ranks(samples)
    assert low == 0 or 40 * at_most[low] <= every
    assert 40 * at_most[low + 1] > every, "a narrower one would do"
    assert high == samples - 1 or 40 * (every - at_most[high]) <= every
    assert high == 0 or 40 * (every - at_most[high - 1]) > every, "a narrower one would do"


def test_ranks_are_those_of_the_tables() -> None:
    assert median_ranks(10) == (1, 8)
    assert median_ranks(100) == (39, 60)


def test_ranks_of_many_are_close_to_the_counted_ones() -> None:
    for counted, approximate in zip(median_ranks(1000), median_ranks(1001), strict=True):
        assert abs(counted - approximate) <= 2


def test_interval_covers_the_median_of_skewed_samples() -> None:
    rng = random.Random(7)
    inside = 0
    for _ in range(400):
        _, low, high = figure([tuple(rng.expovariate(1) for _ in range(60))])
        inside += low <= math.log(2) <= high
    assert inside / 400 >= 0.93


def test_middle_is_the_upper_of_two() -> None:
    assert middle([3.0, 1.0, 2.0]) == 2.0
    assert middle([3.0, 2.0]) == 3.0


def test_six_launches_span_the_interval() -> None:
    launches = [(each + 1, each, each - 1) for each in (5.0, 3.0, 4.0, 9.0, 3.5, 3.6)]
    assert figure(launches) == (4.0, 3.0, 9.0)


def test_fewer_launches_are_taken_together() -> None:
    assert figure([(5.0, 1.0, 2.0), (9.0, 3.0)]) == (3.0, 1.0, 9.0)


def test_launches_of_a_name_are_one() -> None:
    samples = [sample((1.0, 2.0, 3.0), launch) for launch in range(2)]
    (time,) = os_times(samples)
    assert (time.typical, time.samples, time.launches) == (2.0, 6, 2)
    assert (time.processes, time.threads, time.calls) == (2, 3, 100)


def test_names_keep_their_order() -> None:
    times = os_times([sample((1.0,), name="b"), sample((2.0,), name="a")])
    assert [time.benchmark for time in times] == ["b", "a"]
