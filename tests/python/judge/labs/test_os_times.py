"""A run's figure and its interval, against what is known of them."""

import math
import random
from itertools import accumulate

import pytest
from scipy.stats.mstats import trimmed_mean_ci

from assay.judge.labs.os_times import (
    median_ranks,
    os_times,
    time_of_run,
    trimmed_mean,
    upper_median,
)
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
        _, low, high = time_of_run([tuple(rng.expovariate(1) for _ in range(60))])
        inside += low <= math.log(2) <= high
    assert inside / 400 >= 0.93


def test_middle_is_the_upper_of_two() -> None:
    assert upper_median([3.0, 1.0, 2.0]) == 2.0
    assert upper_median([3.0, 2.0]) == 3.0


def test_figure_of_six_launches_is_of_the_inner_four() -> None:
    launches = [(each + 1, each, each - 1) for each in (16.0, 10.0, 16.0, 11.0, 12.0, 30.0)]
    typical, low, high = time_of_run(launches)
    assert typical == 13.75
    assert (low, high) == pytest.approx((13.75 - 5.032, 13.75 + 5.032), abs=0.02)


@pytest.mark.parametrize("launches", [6, 7, 12, 24, 60, 400])
def test_interval_is_that_of_scipy(launches: int) -> None:
    rng = random.Random(launches)
    values = [rng.lognormvariate(3, 0.2) for _ in range(launches)]
    cut = (max(1, launches // 20) + 0.01) / launches  # scipy takes a share, rounded down
    low, high = trimmed_mean_ci(values, limits=(cut, cut), inclusive=(True, True), alpha=0.05)
    typical, *interval = trimmed_mean(values)
    assert typical == pytest.approx((low + high) / 2, rel=1e-9)
    assert interval == pytest.approx([low, high], rel=2e-3)


@pytest.mark.parametrize(
    ("slow", "launches"), [(0.2, 24), (0.5, 24), (0.8, 24), (0.1, 144), (0.3, 144), (0.5, 144)]
)
def test_interval_covers_on_a_host_of_two_speeds(slow: float, launches: int) -> None:
    """As beside a neighbour that comes and goes: there the median jumps, a mean does not."""
    rng = random.Random(11)

    def some(count: int) -> list[float]:
        return [(1.38 if rng.random() < slow else 1.0) * rng.gauss(1, 0.02) for _ in range(count)]

    true, _, _ = trimmed_mean(some(100_000))
    found = [trimmed_mean(some(launches)) for _ in range(300)]
    assert sum(low <= true <= high for _, low, high in found) / 300 >= 0.9


def test_what_lies_far_out_does_not_count() -> None:
    assert trimmed_mean([5.0] * 38 + [0.0, 1e9]) == (5.0, 5.0, 5.0)


def test_fewer_launches_are_taken_together() -> None:
    assert time_of_run([(5.0, 1.0, 2.0), (9.0, 3.0)]) == (3.0, 1.0, 9.0)


def test_launches_of_a_name_are_one() -> None:
    samples = [sample((1.0, 2.0, 3.0), launch) for launch in range(2)]
    (time,) = os_times(samples)
    assert (time.typical, time.samples, time.launches) == (2.0, 6, 2)
    assert (time.processes, time.threads, time.calls) == (2, 3, 100)


def test_names_keep_their_order() -> None:
    times = os_times([sample((1.0,), name="b"), sample((2.0,), name="a")])
    assert [time.benchmark for time in times] == ["b", "a"]
